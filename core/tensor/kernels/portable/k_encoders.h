// Encoders of the types with super-blocks of 256 weights: the K-quants and IQ4_XS.
#pragma once

#include "tensor/kernels/portable/encoders.h"

namespace {

// The small integers of the sub-blocks of one super-block, plus `offset`.
template<std::size_t Segment>
struct SubBlockIntegers {
    Code values[Segment];
    SubBlockIntegers(const Lanes& lanes, std::size_t first, int offset) {
        for (std::size_t s = 0; s < Segment; ++s) {
            values[s] = static_cast<Code>(static_cast<int>(lanes[first + s]) + offset);
        }
    }
};

// --- d × scale × level

// Calls pack(bits of d, scales, codes, block). Offset is added to the scales.
template<typename Levels, std::size_t Count, int Low, int High, int Offset, std::size_t BlockBytes, std::size_t N,
         std::size_t M, typename Pack>
inline void encodeNested(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                         std::byte* out, const float (&guesses)[N], const float (&largest)[M], Pack pack) {
    constexpr std::size_t kSegment = 256 / Count;
    GroupCodes codes;
    forEachGroup<Count, kSegment, BlockBytes>(
        x, blocks, importance, columns, out, [&](const Group& group, std::byte* to, std::size_t groupBlocks) {
            const NestedFit fit = searchNested<Levels, Count, kSegment, Low, High>(group, guesses, largest);
            const Lanes perScale = inverse(fit.d * fit.scale);
            collectCodes<Count>(codes, [&](std::size_t i) { return Levels::code(group.x[i] * perScale); });
            for (std::size_t b = 0; b < groupBlocks; ++b) {
                const SubBlockIntegers<kSegment> scales(fit.scale, b * kSegment, Offset);
                pack(halfBits(fit.d[b * kSegment]), scales.values, codes.codes + 256 * b, to + b * BlockBytes);
            }
        });
}

constexpr float kGuesses3[] = {-5.0F, -4.7F, -4.4F, -4.1F, -3.8F, -3.5F, -3.2F, -2.9F,
                               -2.6F, 2.5F,  2.8F,  3.1F,  3.4F,  3.7F,  4.0F,  4.3F};
constexpr float kGuesses6[] = {-32.5F, -32.0F, -31.5F, -31.0F, -30.4F, -29.6F, 29.6F, 30.4F, 31.0F, 31.5F};
constexpr float kLargest6Bits[] = {-32, 31, -31, 30, -30, 29, -29, 28, -28, -27, 27};
// Fewer guesses, because looking up non-uniform levels takes twice as long.
constexpr float kLargestIq4[] = {-32, 31, -30, 29};
constexpr float kLargest8Bits[] = {-128, 127};

inline void encodeQ3_K(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeNested<UniformLevels<-4, 3>, 16, -32, 31, 32, 110>(
        x, blocks, importance, columns, out, kGuesses3, kLargest6Bits,
        [](std::uint16_t d, const Code* scales, const Code* codes, std::byte* to) {
            packSingleBits(codes, 2, to);
            packPairsOfBits(codes, 0, to + 32);
            packSixteenScales(scales, to + 96);
            put(to + 108, d);
        });
}

inline void encodeQ6_K(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeNested<UniformLevels<-32, 31>, 16, -128, 127, 0, 210>(
        x, blocks, importance, columns, out, kGuesses6, kLargest8Bits,
        [](std::uint16_t d, const Code* scales, const Code* codes, std::byte* to) {
            packNibbles(codes, 64, to);
            packNibbles(codes + 128, 64, to + 64);
            packPairsOfBits(codes, 4, to + 128);
            std::memcpy(to + 192, scales, 16);
            put(to + 208, d);
        });
}

inline void encodeIQ4_XS(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                         std::byte* out) {
    encodeNested<Iq4Levels, 32, -32, 31, 32, 136>(
        x, blocks, importance, columns, out, kGuessesIq4, kLargestIq4,
        [](std::uint16_t d, const Code* scales, const Code* codes, std::byte* to) {
            std::uint32_t upper = 0;
            for (std::size_t s = 0; s < 8; ++s) {
                upper |= (scales[s] >> 4U & 3U) << (2 * s);
                packNibbles(codes + 32 * s, 16, to + 8 + 16 * s);
            }
            put(to, d);
            put(to + 2, static_cast<std::uint16_t>(upper));
            for (std::size_t s = 0; s < 4; ++s) {
                to[4 + s] = static_cast<std::byte>((scales[2 * s] & 15U) | (scales[2 * s + 1] & 15U) << 4U);
            }
        });
}

// --- d × scale × code − dmin × minimum

// Calls pack(bits of d, bits of dmin, scales, minima, codes, block).
template<int MaxCode, std::size_t Count, int Limit, std::size_t BlockBytes, std::size_t N, std::size_t M, typename Pack>
inline void encodeNestedAffine(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                               std::byte* out, const float (&guesses)[N][2], const float (&largest)[M][2], Pack pack) {
    constexpr std::size_t kSegment = 256 / Count;
    GroupCodes codes;
    forEachGroup<Count, kSegment, BlockBytes>(
        x, blocks, importance, columns, out, [&](const Group& group, std::byte* to, std::size_t groupBlocks) {
            const NestedAffineFit fit = searchNestedAffine<MaxCode, Count, kSegment, Limit>(group, guesses, largest);
            const Lanes perScale = inverse(fit.d * fit.scale);
            const Lanes minimum = fit.dmin * fit.minimum;
            collectCodes<Count>(codes, [&](std::size_t i) {
                return UniformLevels<0, MaxCode>::code((group.x[i] + minimum) * perScale);
            });
            for (std::size_t b = 0; b < groupBlocks; ++b) {
                const SubBlockIntegers<kSegment> scales(fit.scale, b * kSegment, 0);
                const SubBlockIntegers<kSegment> minima(fit.minimum, b * kSegment, 0);
                pack(halfBits(fit.d[b * kSegment]), halfBits(fit.dmin[b * kSegment]), scales.values, minima.values,
                     codes.codes + 256 * b, to + b * BlockBytes);
            }
        });
}

constexpr float kLargest4BitPairs[][2] = {{15, 15}, {14, 15}, {15, 14}, {14, 14}, {13, 15},
                                          {15, 13}, {13, 13}, {12, 14}, {14, 12}, {12, 12}};
constexpr float kLargest6BitPairs[][2] = {{63, 63}};

inline void encodeQ2_K(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeNestedAffine<3, 16, 15, 84>(x, blocks, importance, columns, out, kAffineGuesses2, kLargest4BitPairs,
                                      [](std::uint16_t d, std::uint16_t dmin, const Code* scales, const Code* minima,
                                         const Code* codes, std::byte* to) {
                                          for (std::size_t s = 0; s < 16; ++s) {
                                              to[s] = static_cast<std::byte>(scales[s] | minima[s] << 4U);
                                          }
                                          packPairsOfBits(codes, 0, to + 16);
                                          put(to + 80, d);
                                          put(to + 82, dmin);
                                      });
}

inline void packPairsOfNibbles(const Code* codes, std::byte* to) {
    for (std::size_t pair = 0; pair < 4; ++pair) {
        packNibbles(codes + 64 * pair, 32, to + 32 * pair);
    }
}

inline void encodeQ4_K(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeNestedAffine<15, 32, 63, 144>(x, blocks, importance, columns, out, kAffineGuesses4, kLargest6BitPairs,
                                        [](std::uint16_t d, std::uint16_t dmin, const Code* scales, const Code* minima,
                                           const Code* codes, std::byte* to) {
                                            put(to, d);
                                            put(to + 2, dmin);
                                            packScalesAndMinima(scales, minima, to + 4);
                                            packPairsOfNibbles(codes, to + 16);
                                        });
}

inline void encodeQ5_K(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeNestedAffine<31, 32, 63, 176>(x, blocks, importance, columns, out, kAffineGuesses5, kLargest6BitPairs,
                                        [](std::uint16_t d, std::uint16_t dmin, const Code* scales, const Code* minima,
                                           const Code* codes, std::byte* to) {
                                            put(to, d);
                                            put(to + 2, dmin);
                                            packScalesAndMinima(scales, minima, to + 4);
                                            packSingleBits(codes, 4, to + 16);
                                            packPairsOfNibbles(codes, to + 48);
                                        });
}

} // namespace
