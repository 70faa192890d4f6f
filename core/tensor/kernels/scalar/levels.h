// The levels of codes: the numbers that are multiplied by the scale.
#pragma once

#include "tensor/code_books.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gufo::scalar {

// The levels first, first + 1, … of the codes 0, 1, ….
template<std::size_t Count>
constexpr std::array<std::int8_t, Count> linearLevels(int first) {
    std::array<std::int8_t, Count> levels{};
    for (std::size_t i = 0; i < Count; ++i) {
        levels[i] = static_cast<std::int8_t>(first + static_cast<int>(i));
    }
    return levels;
}

// The levels −largest … −smallest, smallest … largest.
template<std::size_t Count>
constexpr std::array<std::int8_t, 2 * Count> signedLevels(const std::array<std::int8_t, Count>& magnitudes) {
    std::array<std::int8_t, 2 * Count> levels{};
    for (std::size_t i = 0; i < Count; ++i) {
        levels[Count + i] = magnitudes[i];
        levels[Count - 1 - i] = static_cast<std::int8_t>(-magnitudes[i]);
    }
    return levels;
}
// The code of the magnitude with this index in signedLevels().
constexpr std::uint8_t signedCode(std::size_t count, std::uint32_t index, bool negative) {
    return static_cast<std::uint8_t>(negative ? count - 1 - index : count + index);
}

inline constexpr auto kIq2Levels = signedLevels(kIq2Magnitudes);
inline constexpr auto kIq3XxsLevels = signedLevels(kIq3XxsMagnitudes);
inline constexpr auto kIq3SLevels = signedLevels(kIq3SMagnitudes);
// In eighths of the scale: a ternary weight and the shift of its block by ±1/8.
inline constexpr std::array<std::int8_t, 6> kIq1Levels{-9, -7, -1, 1, 7, 9};

} // namespace gufo::scalar
