// Folds rows into one, column by column, in plain loops that every compiler vectorises. NaN is ignored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace {

// Orders floats by magnitude, with NaN below all numbers: −2 (0x4000'0000) is above 1.5 (0x3FC0'0000).
inline std::int32_t magnitudeKey(float value) {
    const auto bits = static_cast<std::int32_t>(__builtin_bit_cast(std::uint32_t, value) & 0x7FFF'FFFFU);
    return bits > 0x7F80'0000 ? -1 : bits;
}

void foldLargest(float* __restrict largest, const float* __restrict values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        largest[i] = magnitudeKey(values[i]) > magnitudeKey(largest[i]) ? values[i] : largest[i];
    }
}

void foldSums(double* __restrict sums, std::uint32_t* __restrict counts, const float* __restrict values,
              std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const bool counted = values[i] == values[i];
        sums[i] += static_cast<double>(counted ? values[i] : 0.0F);
        counts[i] += counted ? 1U : 0U;
    }
}

void foldSquares(double* __restrict sums, std::uint32_t* __restrict counts, const float* __restrict values,
                 std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const bool counted = values[i] == values[i];
        const double value = static_cast<double>(counted ? values[i] : 0.0F);
        sums[i] += value * value;
        counts[i] += counted ? 1U : 0U;
    }
}

} // namespace
