// Sets of characters by their code points.
#pragma once

#include <compare>
#include <vector>

namespace gufo::inference {

inline constexpr char32_t kLastCode = 0x10'FFFF;
inline constexpr char32_t kFirstSurrogate = 0xD800;
inline constexpr char32_t kLastSurrogate = 0xDFFF;

[[nodiscard]] inline bool isSurrogate(char32_t code) { return code >= kFirstSurrogate && code <= kLastSurrogate; }

struct CodeRange {
    char32_t lowest;
    char32_t highest; // inclusive
    auto operator<=>(const CodeRange&) const = default;
};
using CodeSet = std::vector<CodeRange>; // what the functions below give is sorted, with gaps between the ranges

[[nodiscard]] CodeSet united(CodeSet set);
// What is not in a set that united() gave.
[[nodiscard]] CodeSet inverted(const CodeSet& set);
// Surrogates are no characters.
[[nodiscard]] CodeSet withoutSurrogates(const CodeSet& set);

} // namespace gufo::inference
