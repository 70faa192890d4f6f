// The names of the entries of archives.
#pragma once

#include <string_view>

namespace gufo {

// Whether a name could lead out of the folder to which an archive is extracted: it is empty or absolute, or has a
// drive, a backslash, a NUL or "..".
[[nodiscard]] bool isUnsafeEntryName(std::string_view name);

} // namespace gufo
