// Letters and digits of ASCII, as names and grammars have them: the same in every locale. Other characters and bytes
// are none of these. Threads: functions of their arguments; any.
#pragma once

#include <algorithm>
#include <string_view>

namespace gufo {

[[nodiscard]] constexpr bool isAsciiDigit(char32_t c) { return c >= U'0' && c <= U'9'; }
[[nodiscard]] constexpr bool isAsciiLetter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
[[nodiscard]] constexpr bool isAsciiLetterOrDigit(char32_t c) { return isAsciiLetter(c) || isAsciiDigit(c); }

[[nodiscard]] constexpr char asciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] constexpr char asciiUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
[[nodiscard]] constexpr bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, asciiLower, asciiLower);
}

// 0 to 15, or -1.
[[nodiscard]] constexpr int hexDigitValue(char32_t c) {
    return isAsciiDigit(c)          ? static_cast<int>(c - U'0')
           : c >= U'a' && c <= U'f' ? static_cast<int>(c - U'a') + 10
           : c >= U'A' && c <= U'F' ? static_cast<int>(c - U'A') + 10
                                    : -1;
}

} // namespace gufo
