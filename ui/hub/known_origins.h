// The addresses from which files on this computer were downloaded, as far as they are known. Kept in the settings. UI
// thread only.
#pragma once

#include <filesystem>

namespace gufo::ui {

// Keeps the address without the commit, so that a later check compares with the newest version.
void rememberOrigin(const std::filesystem::path& file, const std::filesystem::path& address);
[[nodiscard]] std::filesystem::path knownOrigin(const std::filesystem::path& file); // empty: not known

} // namespace gufo::ui
