// Encoders of the quantised types: they search for scales, compute codes and pack them. Each instruction set encodes
// floats in its own encode.cpp.
//
// A call takes `blocks` consecutive whole blocks. The row of importance repeats over them.
#pragma once

#include "tensor/kernels/portable/pack_blocks.h"
#include "tensor/kernels/portable/scale_search.h"

namespace {

// The codes of up to sixteen sub-blocks, with the codes of each sub-block contiguous.
struct GroupCodes {
    alignas(64) Code codes[kLanes * 32];
};

// Transposes codes: code(i) gives the codes of weight i in all sub-blocks.
template<std::size_t Count, typename CodeOf>
inline void collectCodes(GroupCodes& out, CodeOf code) {
    for (std::size_t i = 0; i < Count; ++i) {
        const LaneInts codes = code(i);
        for (std::size_t s = 0; s < kLanes; ++s) {
            out.codes[s * Count + i] = static_cast<Code>(codes[s]);
        }
    }
}

// Calls encode(group, bytes of the first block, number of blocks) for groups of at most sixteen sub-blocks. A group
// contains whole blocks of PerBlock sub-blocks.
template<std::size_t Count, std::size_t PerBlock, std::size_t BlockBytes, typename Encode>
inline void forEachGroup(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                         std::byte* out, Encode encode) {
    constexpr std::size_t kBlocks = kLanes / PerBlock;
    Group group;
    for (std::size_t first = 0; first < blocks; first += kBlocks) {
        const std::size_t groupBlocks = blocks - first < kBlocks ? blocks - first : kBlocks;
        const std::size_t at = first * PerBlock * Count;
        loadGroup<Count>(group, x + at, groupBlocks * PerBlock, {importance, columns}, at);
        encode(group, out + first * BlockBytes, groupBlocks);
    }
}

// --- one scale

// The levels to which the largest weight may be mapped. A level beyond the outermost clips that weight, which may
// benefit the others.
constexpr float kGuesses4[] = {-8.9F, -8.6F, -8.3F, -8.0F, -7.7F, -7.4F, -7.1F, -6.8F, -6.4F,
                               -6.0F, 6.0F,  6.4F,  6.8F,  7.1F,  7.4F,  7.7F,  8.0F,  8.3F};
constexpr float kGuesses5[] = {-16.6F, -16.3F, -16.0F, -15.7F, -15.4F, -15.1F, -14.8F, -14.4F,
                               -14.0F, 14.0F,  14.4F,  14.8F,  15.1F,  15.4F,  15.7F};
constexpr float kGuesses8[] = {127, 126.7F, 126.4F, 126, 125.5F, 125, 124.4F, 123.7F};
constexpr float kGuessesIq4[] = {-139, -133, -127, -122, -117, -112, -107, -102, -97, 97, 102, 107, 113, 118, 124};

template<typename Levels, std::size_t BlockBytes, std::size_t Guesses, typename Pack>
inline void encodeScaled(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                         std::byte* out, const float (&guesses)[Guesses], Pack pack) {
    GroupCodes codes;
    forEachGroup<32, 1, BlockBytes>(
        x, blocks, importance, columns, out, [&](const Group& group, std::byte* to, std::size_t groupBlocks) {
            const Lanes scale = nearestHalf(searchScale<Levels, 32>(group, guesses).scale);
            const Lanes perScale = inverse(scale);
            collectCodes<32>(codes, [&](std::size_t i) { return Levels::code(group.x[i] * perScale); });
            for (std::size_t s = 0; s < groupBlocks; ++s) {
                put(to + s * BlockBytes, halfBits(scale[s]));
                pack(codes.codes + 32 * s, to + s * BlockBytes);
            }
        });
}

inline void encodeQ4_0(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeScaled<UniformLevels<-8, 7>, 18>(x, blocks, importance, columns, out, kGuesses4,
                                           [](const Code* codes, std::byte* to) { packNibbles(codes, 16, to + 2); });
}
inline void encodeQ5_0(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeScaled<UniformLevels<-16, 15>, 22>(x, blocks, importance, columns, out, kGuesses5,
                                             [](const Code* codes, std::byte* to) {
                                                 packFifthBits(codes, to + 2);
                                                 packNibbles(codes, 16, to + 6);
                                             });
}
// Codes are the signed bytes themselves. −128 is not used, because products of two of them overflow in some runtimes.
inline void encodeQ8_0(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeScaled<UniformLevels<-127, 127, 0>, 34>(
        x, blocks, importance, columns, out, kGuesses8,
        [](const Code* codes, std::byte* to) { std::memcpy(to + 2, codes, 32); });
}
inline void encodeIQ4_NL(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                         std::byte* out) {
    encodeScaled<Iq4Levels, 18>(x, blocks, importance, columns, out, kGuessesIq4,
                                [](const Code* codes, std::byte* to) { packNibbles(codes, 16, to + 2); });
}

// --- a power of two

// 2^(e − 128), the scale of MXFP4's doubled levels; subnormal for e < 2.
inline Lanes powerScales(LaneInts e) {
    const LaneInts normal = LaneInts::each([&](std::size_t p) { return (e.parts[p] - 1) << 23; });
    const LaneInts subnormal = select(e > LaneInts{}, allInts(0x0040'0000), allInts(0x0020'0000));
    return fromBits(select(e < allInts(2), subnormal, normal));
}

inline void encodeMXFP4(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                        std::byte* out) {
    GroupCodes codes;
    forEachGroup<32, 1, 17>(
        x, blocks, importance, columns, out, [&](const Group& group, std::byte* to, std::size_t groupBlocks) {
            Lanes largest{};
            for (const Lanes& weights : group.x) {
                largest = larger(largest, magnitude(weights));
            }
            // Tries the exponent that maps the largest weight to 4 … 8 (E2M1 ends at 6), and its neighbours. Errors are
            // measured in units of the middle scale, because squares of huge or tiny weights do not fit in a float.
            const LaneInts exponent = bitsOf(largest) >> 23;
            LaneInts best{};
            Lanes bestError{};
            for (const int step : {0, -1, 1}) {
                LaneInts e = exponent + (step - 2);
                e = select(e < LaneInts{}, LaneInts{}, e);
                e = select(e > allInts(254), allInts(254), e);
                const Lanes scale = powerScales(e);
                const float unit = step < 0 ? 0.25F : step > 0 ? 4.0F : 1.0F;
                Lanes error{};
                for (std::size_t i = 0; i < 32; ++i) {
                    const Lanes scaled = group.x[i] / scale;
                    const Lanes rest = scaled - Fp4Levels::level(scaled);
                    error += group.w[i] * rest * rest;
                }
                error *= unit;
                const LaneInts better = step == 0 ? allInts(-1) : error < bestError;
                best = select(better, e, best);
                bestError = select(better, error, bestError);
            }
            const Lanes scale = powerScales(best);
            collectCodes<32>(codes, [&](std::size_t i) { return Fp4Levels::code(group.x[i] / scale); });
            for (std::size_t s = 0; s < groupBlocks; ++s) {
                to[s * 17] = static_cast<std::byte>(best[s]);
                packNibbles(codes.codes + 32 * s, 16, to + s * 17 + 1);
            }
        });
}

// --- a scale and a minimum

constexpr float kAffineGuesses4[][2] = {
    {0, 0},         {0.015F, 0.015F}, {0.03F, 0.03F}, {0.045F, 0.045F}, {-0.015F, -0.015F}, {0.03F, 0},
    {0, 0.03F},     {0.06F, 0},       {0, 0.06F},     {-0.03F, 0},      {0, -0.03F},        {0.06F, 0.03F},
    {0.03F, 0.06F}, {0.09F, 0},       {0, 0.09F},     {-0.03F, -0.03F}};
constexpr float kAffineGuesses5[][2] = {
    {0, 0},     {0.008F, 0.008F}, {0.015F, 0.015F}, {0.023F, 0.023F},   {0.015F, 0},     {0, 0.015F},    {0.03F, 0},
    {0, 0.03F}, {-0.015F, 0},     {0, -0.015F},     {-0.008F, -0.008F}, {0.03F, 0.015F}, {0.015F, 0.03F}};
constexpr float kAffineGuesses2[][2] = {
    {0, 0},         {0.04F, 0.04F},   {0.08F, 0.08F}, {0.12F, 0.12F}, {0.16F, 0.16F},  {0.08F, 0},
    {0, 0.08F},     {0.16F, 0},       {0, 0.16F},     {0.24F, 0},     {0, 0.24F},      {0.16F, 0.08F},
    {0.08F, 0.16F}, {0.24F, 0.08F},   {0.08F, 0.24F}, {0.24F, 0.16F}, {0.16F, 0.24F},  {-0.06F, 0},
    {0, -0.06F},    {-0.06F, -0.06F}, {0.32F, 0},     {0, 0.32F},     {-0.12F, 0.08F}, {0.08F, -0.12F}};

template<int MaxCode, std::size_t BlockBytes, std::size_t Guesses, typename Pack>
inline void encodeAffine(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                         std::byte* out, const float (&guesses)[Guesses][2], Pack pack) {
    GroupCodes codes;
    forEachGroup<32, 1, BlockBytes>(x, blocks, importance, columns, out,
                                    [&](const Group& group, std::byte* to, std::size_t groupBlocks) {
                                        const AffineFit fit = searchAffine<MaxCode, 32, Minimum::Any>(group, guesses);
                                        const Lanes scale = nearestHalf(fit.scale);
                                        const Lanes minimum = nearestHalf(fit.minimum);
                                        const Lanes perScale = inverse(scale);
                                        collectCodes<32>(codes, [&](std::size_t i) {
                                            return UniformLevels<0, MaxCode>::code((group.x[i] + minimum) * perScale);
                                        });
                                        for (std::size_t s = 0; s < groupBlocks; ++s) {
                                            put(to + s * BlockBytes, halfBits(scale[s]));
                                            put(to + s * BlockBytes + 2, halfBits(0.0F - minimum[s]));
                                            pack(codes.codes + 32 * s, to + s * BlockBytes);
                                        }
                                    });
}

inline void encodeQ4_1(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeAffine<15, 20>(x, blocks, importance, columns, out, kAffineGuesses4,
                         [](const Code* codes, std::byte* to) { packNibbles(codes, 16, to + 4); });
}
inline void encodeQ5_1(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    encodeAffine<31, 24>(x, blocks, importance, columns, out, kAffineGuesses5, [](const Code* codes, std::byte* to) {
        packFifthBits(codes, to + 4);
        packNibbles(codes, 16, to + 8);
    });
}

// --- types with super-blocks of 256 weights: the K-quants and IQ4_XS

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
