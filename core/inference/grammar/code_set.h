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
using CodeSet = std::vector<CodeRange>; // the functions below return it sorted, with gaps between the ranges

[[nodiscard]] CodeSet united(CodeSet set);
// The complement of a set that united() returned.
[[nodiscard]] CodeSet inverted(const CodeSet& set);
// Removes surrogates, which are not characters.
[[nodiscard]] CodeSet withoutSurrogates(const CodeSet& set);

} // namespace gufo::inference
