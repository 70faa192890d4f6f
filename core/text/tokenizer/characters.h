// Characters of UTF-8 text as tokenizers see them: code points, and the Unicode property that splitting asks for.
// Property data: the Unicode version of Qt Core. Threads: all may be called from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gufo::text {

// General categories, as coarse as the splitting rules need them. \s is Space and LineBreak.
enum class CharKind : std::uint8_t {
    UpperLetter,    // Lu, Lt
    LowerLetter,    // Ll
    OtherLetter,    // Lm, Lo
    NonSpacingMark, // Mn
    OtherMark,      // Mc, Me
    Number,         // Nd, Nl, No
    Punctuation,    // P*
    Symbol,         // S*
    Space,          // White_Space without \r and \n
    LineBreak,      // \r, \n
    Control,        // Cc, Cf, Cs, Co
    Unassigned,     // Cn
    Invalid,        // a byte that is not part of well-formed UTF-8
};

// A set of kinds, for one test against many.
using KindSet = std::uint32_t;
template<typename... Kinds>
constexpr KindSet kinds(Kinds... kind) {
    return ((KindSet{1} << static_cast<unsigned>(kind)) | ...);
}
[[nodiscard]] constexpr bool in(CharKind kind, KindSet set) { return ((set >> static_cast<unsigned>(kind)) & 1U) != 0; }

inline constexpr KindSet kLetter = kinds(CharKind::UpperLetter, CharKind::LowerLetter, CharKind::OtherLetter);
inline constexpr KindSet kMark = kinds(CharKind::NonSpacingMark, CharKind::OtherMark);
inline constexpr KindSet kNumber = kinds(CharKind::Number);
inline constexpr KindSet kWhite = kinds(CharKind::Space, CharKind::LineBreak);
inline constexpr KindSet kLineBreak = kinds(CharKind::LineBreak);
inline constexpr KindSet kPunctuationOrSymbol = kinds(CharKind::Punctuation, CharKind::Symbol);
inline constexpr KindSet kAny = ~KindSet{0};

inline constexpr char32_t kMaxCodePoint = 0x10FFFF;
// The code point given to the invalid byte b is kInvalidBase + b, so that distinct bytes stay distinct.
inline constexpr char32_t kInvalidBase = 0x110000;

struct Char {
    char32_t code;
    std::uint32_t bytes; // 1 to 4
};

// The character at the front of [from, end), which is not empty. Well-formed by table 3-7 of the Unicode standard;
// anything else is one invalid byte.
[[nodiscard]] Char decodeMultiByte(const char* from, const char* end);
[[nodiscard]] inline Char decodeChar(const char* from, const char* end) {
    const auto lead = static_cast<unsigned char>(*from);
    return lead < 0x80 ? Char{lead, 1} : decodeMultiByte(from, end);
}

void appendUtf8(std::string& out, char32_t code); // code ≤ kMaxCodePoint

// Bytes at the end of `bytes` that begin a character whose rest may still come: 0 to 3.
[[nodiscard]] std::size_t incompleteTail(std::string_view bytes);

namespace detail {
inline constexpr std::size_t kTableSize = 0x40000; // planes 0 to 3; above them only a few thousand are assigned
[[nodiscard]] const std::array<CharKind, kTableSize>& kindTable();
[[nodiscard]] CharKind kindOfHigh(char32_t code);
} // namespace detail

// Holds the table, so that a scan fetches it once.
class CharKinds {
public:
    CharKinds()
        : m_table(detail::kindTable().data()) {}
    [[nodiscard]] CharKind operator()(char32_t code) const {
        return code < detail::kTableSize ? m_table[code] : detail::kindOfHigh(code);
    }

private:
    const CharKind* m_table;
};

// Canonical decomposition without non-spacing marks, then lower case: what BERT's uncased models do to each character.
void appendFolded(std::u32string& out, char32_t code, bool stripAccents, bool lowerCase);

} // namespace gufo::text
