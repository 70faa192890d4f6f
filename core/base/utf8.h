// UTF-8 as files use it: names of keys and tensors should be valid, and are shown all the same when they are not.
#pragma once

#include <string_view>

namespace gufo {

// Well-formed by table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing past U+10FFFF.
[[nodiscard]] bool isValidUtf8(std::string_view text);

} // namespace gufo
