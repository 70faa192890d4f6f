// Locale-independent tests and conversions for ASCII letters and digits, as names and grammars use them. Every other
// character or byte is neither a letter nor a digit. All functions are pure and thread-safe.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace gufo {

[[nodiscard]] constexpr bool isAsciiDigit(char32_t c) { return c >= U'0' && c <= U'9'; }
[[nodiscard]] constexpr bool isAsciiLetter(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
[[nodiscard]] constexpr bool isAsciiLetterOrDigit(char32_t c) { return isAsciiLetter(c) || isAsciiDigit(c); }

[[nodiscard]] constexpr char asciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
[[nodiscard]] constexpr char asciiUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
[[nodiscard]] inline std::string asciiLowerText(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), asciiLower);
    return lower;
}
[[nodiscard]] constexpr bool equalIgnoringCase(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, asciiLower, asciiLower);
}

// Returns 0 to 15, or -1 if the character is not a hexadecimal digit.
[[nodiscard]] constexpr int hexDigitValue(char32_t c) {
    return isAsciiDigit(c)          ? static_cast<int>(c - U'0')
           : c >= U'a' && c <= U'f' ? static_cast<int>(c - U'a') + 10
           : c >= U'A' && c <= U'F' ? static_cast<int>(c - U'A') + 10
                                    : -1;
}

} // namespace gufo
