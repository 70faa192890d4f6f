// UTF-8 as files, tokenizers and grammars use it. Names and tokens should be valid and often are not: decoding never
// fails, and says which bytes belong to no character. "Well-formed" is table 3-7 of the Unicode standard: no overlong
// forms, no surrogates, nothing past U+10FFFF. Threads: functions of their arguments; any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gufo {

inline constexpr char32_t kMaxCodePoint = 0x10FFFF;
// The code point given to the invalid byte b is kInvalidBase + b, so that distinct bytes stay distinct.
inline constexpr char32_t kInvalidBase = 0x110000;

struct Char {
    char32_t code;
    std::uint32_t bytes; // 1 to 4
    [[nodiscard]] bool isValid() const { return code <= kMaxCodePoint; }
};

// What the first byte of a character says about the bytes that follow. Those after the second are 0x80 to 0xBF.
struct LeadByte {
    std::uint32_t bytes; // of the character, 1 to 4; 0 if no character begins with this byte
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

// The character at the front of [from, end), which is not empty. What is not well-formed is one invalid byte.
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
// Bytes at the end of `bytes` that begin a character whose rest may still come: 0 to 3.
[[nodiscard]] std::size_t incompleteTail(std::string_view bytes);
// The greatest length up to `most` at which `text` can be cut without cutting a character; `most` itself if there is
// none among the four bytes before it, which is then not UTF-8. `most` ≤ the text's size.
[[nodiscard]] std::size_t cutBetweenCharacters(std::string_view text, std::size_t most);

} // namespace gufo
