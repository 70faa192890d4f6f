// The code books of the IQ, MXFP4 and NVFP4 types (fixed by ggml, `ggml-common.h`), packed as small as they go.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace gufo {

// Entries of 8 weights, 2 bits each, first weight lowest: the index into kIq2Magnitudes, or weight + 1 for IQ1.
extern const std::array<std::uint16_t, 256> kIq2XxsGrid;
extern const std::array<std::uint16_t, 512> kIq2XsGrid;
extern const std::array<std::uint16_t, 1024> kIq2SGrid;
extern const std::array<std::uint16_t, 2048> kIq1Grid;
// Entries of 4 weights, 3 bits each: the index into kIq3XxsMagnitudes, or (magnitude − 1) / 2 for IQ3_S.
extern const std::array<std::uint16_t, 256> kIq3XxsGrid;
extern const std::array<std::uint16_t, 512> kIq3SGrid;

// The same, a byte for each weight: for products, which look up entry by entry.
extern const std::array<std::uint64_t, 256> kIq2XxsBytes;
extern const std::array<std::uint64_t, 512> kIq2XsBytes;
extern const std::array<std::uint64_t, 1024> kIq2SBytes;
extern const std::array<std::uint64_t, 2048> kIq1Bytes;
extern const std::array<std::uint32_t, 256> kIq3XxsBytes;
extern const std::array<std::uint32_t, 512> kIq3SBytes;

inline constexpr std::array<std::int8_t, 3> kIq2Magnitudes{8, 25, 43};
inline constexpr std::array<std::int8_t, 8> kIq3XxsMagnitudes{4, 12, 20, 28, 36, 44, 52, 62};
inline constexpr std::array<std::int8_t, 8> kIq3SMagnitudes{1, 3, 5, 7, 9, 11, 13, 15};

// IQ4_NL, IQ4_XS.
inline constexpr std::array<std::int8_t, 16> kIq4Levels{-127, -104, -83, -65, -49, -35, -22, -10,
                                                        1,    13,   25,  38,  53,  69,  89,  113};
// E2M1 times two: MXFP4, NVFP4.
inline constexpr std::array<std::int8_t, 16> kFp4Levels{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

// Signs of 8 weights (bit i set: weight i is negative) from 7 stored bits: the eighth makes their number even.
constexpr std::uint8_t signMask(std::uint32_t stored7) {
    return static_cast<std::uint8_t>(stored7 | (static_cast<std::uint32_t>(std::popcount(stored7)) & 1U) << 7U);
}

} // namespace gufo
