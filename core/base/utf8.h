// UTF-8 as files, tokenizers and grammars use it. Names and tokens should be valid UTF-8 but often are not, so decoding
// never fails and instead marks the bytes that belong to no character. "Well-formed" means table 3-7 of the Unicode
// standard: no overlong forms, no surrogates, nothing above U+10FFFF. All functions are pure and thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gufo {

inline constexpr char32_t kMaxCodePoint = 0x10FFFF;
// An invalid byte b decodes to kInvalidBase + b, so that different bytes stay different.
inline constexpr char32_t kInvalidBase = 0x110000;

struct Char {
    char32_t code;
    std::uint32_t bytes; // 1 to 4
    [[nodiscard]] bool isValid() const { return code <= kMaxCodePoint; }
};

// What the first byte of a character implies about the following bytes. The third and fourth are always 0x80 to 0xBF.
struct LeadByte {
    std::uint32_t bytes; // length of the character, 1 to 4; 0 if no character begins with this byte
    unsigned char lowestSecond;
    unsigned char highestSecond;
};
[[nodiscard]] constexpr LeadByte leadByte(unsigned char lead) {
    constexpr unsigned char kLowest = 0x80;
    constexpr unsigned char kHighest = 0xBF;
    if (lead < 0x80) {
        return {1, 0, 0};
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return {2, kLowest, kHighest};
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        return {3, lead == 0xE0 ? static_cast<unsigned char>(0xA0) : kLowest,
                lead == 0xED ? static_cast<unsigned char>(0x9F) : kHighest};
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        return {4, lead == 0xF0 ? static_cast<unsigned char>(0x90) : kLowest,
                lead == 0xF4 ? static_cast<unsigned char>(0x8F) : kHighest};
    }
    return {0, 0, 0};
}
[[nodiscard]] constexpr bool isContinuationByte(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Decodes the first character of [from, end), which is not empty. If it is not well-formed, its first byte is returned
// as one invalid byte.
[[nodiscard]] Char decodeMultiByte(const char* from, const char* end);
[[nodiscard]] inline Char decodeChar(const char* from, const char* end) {
    const auto lead = static_cast<unsigned char>(*from);
    return lead < 0x80 ? Char{lead, 1} : decodeMultiByte(from, end);
}
[[nodiscard]] inline Char decodeChar(std::string_view text) {
    return decodeChar(text.data(), text.data() + text.size());
}
[[nodiscard]] std::u32string decodeUtf8(std::string_view text);

void appendUtf8(std::string& out, char32_t code); // code ≤ kMaxCodePoint

[[nodiscard]] bool isValidUtf8(std::string_view text);
// The number of bytes at the end of `bytes`, 0 to 3, that begin a character whose remaining bytes may still arrive.
[[nodiscard]] std::size_t incompleteTail(std::string_view bytes);
// The greatest length, at most `limit`, at which `text` can be cut without splitting a character: the size of a text
// that is no longer than `limit`, and `limit` itself if none of the four bytes before it starts a character, in which
// case the text is not UTF-8.
[[nodiscard]] std::size_t cutBetweenCharacters(std::string_view text, std::size_t limit);

} // namespace gufo
