// The Unicode properties of characters that tokenizers ask for, in the Unicode version of Qt Core.
//
// Thread contract: thread-safe.
#pragma once

#include "base/utf8.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gufo::text {

// General categories, as fine as the splitting rules need them. \s is Space and LineBreak.
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

// A set of kinds, so that one test covers many.
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

namespace detail {
inline constexpr std::size_t kTableSize = 0x40000; // planes 0 to 3; only a few thousand code points above are assigned
[[nodiscard]] const std::array<CharKind, kTableSize>& kindTable();
[[nodiscard]] CharKind kindOfHigh(char32_t code);
} // namespace detail

// Holds a pointer to the table, so that a scan fetches it only once.
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

// Appends the canonical decomposition without non-spacing marks, then in lower case, as BERT's uncased models do.
void appendFolded(std::u32string& out, char32_t code, bool stripAccents, bool lowerCase);

} // namespace gufo::text
