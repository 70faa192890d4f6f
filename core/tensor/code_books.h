// The code books of the IQ, MXFP4 and NVFP4 types (defined by ggml, `ggml-common.h`), stored as compactly as possible.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace gufo {

// Entries of 8 weights with 2 bits each, the first weight in the lowest bits: an index into kIq2Magnitudes, or weight +
// 1 for IQ1.
extern const std::array<std::uint16_t, 256> kIq2XxsGrid;
extern const std::array<std::uint16_t, 512> kIq2XsGrid;
extern const std::array<std::uint16_t, 1024> kIq2SGrid;
extern const std::array<std::uint16_t, 2048> kIq1Grid;
// Entries of 4 weights with 3 bits each: an index into kIq3XxsMagnitudes, or (magnitude − 1) / 2 for IQ3_S.
extern const std::array<std::uint16_t, 256> kIq3XxsGrid;
extern const std::array<std::uint16_t, 512> kIq3SGrid;

// The same entries with one byte per weight. Products use these, because they look up single entries.
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

// The code books of ik_llama.cpp. Each table contains two books; the second is the first with all levels increased.
inline constexpr std::array<std::int8_t, 8> kIk2Levels{-31, -13, 1, 17, -26, -8, 6, 22};
inline constexpr std::array<std::int8_t, 16> kIk3Levels{-63, -40, -23, -10, 1, 13, 28, 47,
                                                        -59, -36, -19, -6,  5, 17, 32, 51};
inline constexpr std::array<std::int8_t, 32> kIk4Levels{-127, -104, -83, -65, -49, -35,  -22,  -10, 1,   13,  25,
                                                        38,   53,   69,  89,  113, -123, -100, -79, -61, -45, -31,
                                                        -18,  -6,   5,   17,  29,  42,   57,   73,  93,  117};
inline constexpr std::array<std::int8_t, 64> kIk5Levels{
    -126, -114, -103, -92, -83, -74, -65, -57, -50, -43, -36,  -30,  -24,  -18, -12, -6,  -1,  5,   11,  17,  23,  29,
    36,   43,   51,   59,  68,  77,  87,  97,  109, 121, -124, -112, -101, -90, -81, -72, -63, -55, -48, -41, -34, -28,
    -22,  -16,  -10,  -4,  1,   7,   13,  19,  25,  31,  38,   45,   53,   61,  70,  79,  89,  99,  111, 123};
inline constexpr std::array<std::int8_t, 128> kIk6Levels{
    -127, -121, -115, -109, -104, -98, -93, -88, -84, -79, -74, -70, -66, -62, -58, -54, -51, -47, -44, -40, -37,  -34,
    -31,  -28,  -25,  -22,  -19,  -16, -13, -11, -8,  -5,  -2,  0,   3,   6,   9,   12,  14,  17,  20,  23,  27,   30,
    33,   36,   40,   44,   47,   51,  55,  59,  63,  68,  72,  77,  82,  87,  92,  98,  103, 109, 115, 121, -126, -120,
    -114, -108, -103, -97,  -92,  -87, -83, -78, -73, -69, -65, -61, -57, -53, -50, -46, -43, -39, -36, -33, -30,  -27,
    -24,  -21,  -18,  -15,  -12,  -10, -7,  -4,  -1,  1,   4,   7,   10,  13,  15,  18,  21,  24,  28,  31,  34,   37,
    41,   45,   48,   52,   56,   60,  64,  69,  73,  78,  83,  88,  93,  99,  104, 110, 116, 122};
// The pairs of adjacent weights of IQ2_KL: two indices into kIkPairLevels, the first in the lower three bits (the last
// octal digit).
inline constexpr std::array<std::int8_t, 8> kIkPairLevels{-63, -40, -23, -10, 1, 13, 28, 47};
inline constexpr std::array<std::uint8_t, 32> kIkPairs{020, 050, 001, 031, 051, 071, 012, 022, 042, 052, 062,
                                                       003, 043, 053, 073, 024, 034, 044, 054, 064, 015, 025,
                                                       035, 045, 055, 006, 026, 046, 066, 076, 027, 057};

// The signs of 8 weights (bit i set: weight i is negative) from 7 stored bits. The eighth bit makes the number of
// negative weights even.
constexpr std::uint8_t signMask(std::uint32_t stored7) {
    return static_cast<std::uint8_t>(stored7 | (static_cast<std::uint32_t>(std::popcount(stored7)) & 1U) << 7U);
}

} // namespace gufo
