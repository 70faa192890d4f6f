// The list of all quantised types that can be decoded. A type that is added here gets its decoders, fields and tests.
#pragma once

#include "tensor/kernels/scalar/ik_blocks.h"
#include "tensor/kernels/scalar/iq_blocks.h"
#include "tensor/kernels/scalar/k_blocks.h"
#include "tensor/kernels/scalar/simple_blocks.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

namespace gufo::scalar {

// Unpacks a block of the row that begins with `header`, which types without row headers ignore.
template<typename Block>
void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
    if constexpr (hasRowHeader<Block>) {
        Block::unpack(header, block, out);
    } else {
        Block::unpack(block, out);
    }
}

// Whether the scales of a block can be unpacked without its codes.
template<typename Block>
inline constexpr bool hasFastScales = requires { &Block::unpackScales; };

// Whether a block has one scale d, and possibly one offset m, in halves at its start.
template<typename Block>
inline constexpr bool beginsWithHalves = [] {
    constexpr auto isHalf = [](const BlockField& field, std::string_view name, std::uint32_t offset) {
        return field.name == name && field.offset == offset && field.bytes == 2 && field.fieldSize == 2;
    };
    return Block::kBlockSize == Block::kSubBlock && isHalf(Block::kFields[0], "d", 0) &&
           (!Block::kHasMinima || isHalf(Block::kFields[1], "m", 2));
}();

using FourFloats = float __attribute__((vector_size(16)));
using FourWords = std::uint32_t __attribute__((vector_size(16)));

// Four halves in the lower bits of words, if they are finite. Subnormal ones are converted from their integers, because
// some processors take a hundred cycles to multiply subnormal floats.
// The exponent of a normal one grows by 127 − 15 = 112: 0x3C00 becomes 0x0780'0000 + 0x3800'0000, the bits of 1.
inline FourFloats fromHalves(FourWords halves) {
    using FourInts = std::int32_t __attribute__((vector_size(16)));
    const FourWords magnitude = halves & 0x7FFFU;
    const auto normal = reinterpret_cast<FourFloats>((magnitude << 13U) + (112U << 23U));
    const FourFloats subnormal = __builtin_convertvector(reinterpret_cast<FourInts>(magnitude), FourFloats) * 0x1p-24F;
    const FourFloats positive = magnitude < 0x400U ? subnormal : normal;
    return reinterpret_cast<FourFloats>(reinterpret_cast<FourWords>(positive) | (halves & 0x8000U) << 16U);
}

// As boundsOf(), for four blocks at once.
template<typename Block>
WeightBounds boundsOfHalves(const std::byte* blocks, std::size_t count) {
    constexpr auto kExtremes = std::ranges::minmax(Block::kLevels);
    auto [low, high, check] = WeightBounds();
    FourFloats lows = FourFloats{} + low;
    FourFloats highs = FourFloats{} + high;
    FourWords infinite{};
    for (std::size_t i = 0; i < count; i += 4) {
        const auto start = [&](std::size_t k) -> std::uint32_t {
            const std::byte* const block = blocks + std::min(i + k, count - 1) * Block::kBlockBytes;
            if constexpr (Block::kHasMinima) {
                return load<std::uint32_t>(block);
            } else {
                return load<std::uint16_t>(block);
            }
        };
        const FourWords starts = {start(0), start(1), start(2), start(3)};
        infinite |= reinterpret_cast<FourWords>((starts & 0x7C00U) == 0x7C00U);
        infinite |= reinterpret_cast<FourWords>((starts & 0x7C00'0000U) == 0x7C00'0000U);
        const FourFloats scale = fromHalves(starts);
        const FourFloats offset = fromHalves(starts >> 16U);
        const FourFloats a = scale * static_cast<float>(kExtremes.min) + offset;
        const FourFloats b = scale * static_cast<float>(kExtremes.max) + offset;
        lows = a < lows ? a : lows;
        lows = b < lows ? b : lows;
        highs = a > highs ? a : highs;
        highs = b > highs ? b : highs;
    }
    for (std::size_t k = 0; k < 4; ++k) {
        low = lows[k] < low ? lows[k] : low;
        high = highs[k] > high ? highs[k] : high;
        check = infinite[k] != 0 ? std::numeric_limits<float>::quiet_NaN() : check;
    }
    return {.low = low, .high = high, .check = check};
}

// The bounds of `count` blocks. They are computed as the decoder computes weights, whose rounding keeps their order.
template<typename Block>
WeightBounds boundsOf(const std::byte* blocks, std::size_t count) {
    if constexpr (beginsWithHalves<Block>) {
        return boundsOfHalves<Block>(blocks, count);
    }
    constexpr auto kExtremes = std::ranges::minmax(Block::kLevels);
    // Selecting values, other than std::min(), does not become branches, which random scales would make slow.
    const auto smaller = [](float a, float b) { return a < b ? a : b; };
    const auto larger = [](float a, float b) { return a > b ? a : b; };
    auto [low, high, check] = WeightBounds();
    UnpackedBlock unpacked;
    for (std::size_t block = 0; block < count; ++block) {
        Block::unpackScales(blocks + block * Block::kBlockBytes, unpacked);
        for (std::size_t s = 0; s < Block::kBlockSize / Block::kSubBlock; ++s) {
            float minimum = 0;
            if constexpr (Block::kHasMinima) {
                minimum = unpacked.minima[s];
            }
            const float scale = unpacked.scales[s];
            const float a = static_cast<float>(kExtremes.min) * scale - minimum;
            const float b = static_cast<float>(kExtremes.max) * scale - minimum;
            low = smaller(low, smaller(a, b));
            high = larger(high, larger(a, b));
            check += (scale - scale) + (minimum - minimum);
        }
    }
    return {.low = low, .high = high, .check = check};
}

// Whether there is a limit to the scales of a block that follows from a few of its bytes.
template<typename Block>
inline constexpr bool hasMostScale = requires { &Block::scaleBound; };

// Bounds of `count` blocks of the row that begins with `header`, with the largest scales and minima that the types have
// room for. The decoder's products are rounded in the same order.
template<typename Block>
WeightBounds looseBoundsOf(const std::byte* header, const std::byte* blocks, std::size_t count) {
    constexpr auto kExtremes = std::ranges::minmax(Block::kLevels);
    constexpr float kLargest = std::max<int>(kExtremes.max, -kExtremes.min);
    const auto positive = [](float a) { return a > 0 ? a : 0.0F; };
    auto [low, high, check] = WeightBounds();
    for (std::size_t i = 0; i < count; ++i) {
        const std::byte* const block = blocks + i * Block::kBlockBytes;
        if constexpr (hasRowHeader<Block>) {
            const float scale = Block::scaleBound(header, block);
            const float largest = kLargest * (scale < 0 ? -scale : scale);
            return {.low = -largest, .high = largest, .check = scale - scale}; // the same for all blocks of the row
        } else if constexpr (Block::kHasMinima) {
            const float weight = kLargest * Block::scaleBound(block);
            const float minimum = Block::minimumBound(block);
            const float lowest = -positive(-weight) - positive(minimum);
            const float highest = positive(weight) + positive(-minimum);
            low = lowest < low ? lowest : low;
            high = highest > high ? highest : high;
            check += (weight - weight) + (minimum - minimum);
        } else {
            const float scale = Block::scaleBound(block);
            const float largest = kLargest * (scale < 0 ? -scale : scale);
            high = largest > high ? largest : high;
            low = -high;
            check += scale - scale;
        }
    }
    return {.low = low, .high = high, .check = check};
}

// Calls visit.template operator()<Block>() for each of ggml's types.
template<typename Visit>
constexpr void forEachGgmlBlockType(Visit visit) {
    const auto each = [&]<typename... Block>() { (visit.template operator()<Block>(), ...); };
    each.template operator()<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1, Q1_0, Q2_0, TQ1_0, TQ2_0, MXFP4, NVFP4>();
    each.template operator()<Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, Q8_K>();
    each.template operator()<IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ1_S, IQ1_M, IQ4_NL, IQ4_XS>();
}

// The same for every type.
template<typename Visit>
constexpr void forEachBlockType(Visit visit) {
    forEachGgmlBlockType(visit);
    const auto each = [&]<typename... Block>() { (visit.template operator()<Block>(), ...); };
    each.template operator()<Q6_0, IQ2_K, IQ3_K, IQ4_K, IQ5_K, IQ6_K>();
    each.template operator()<IQ1_BN, IQ2_BN, IQ2_KS, IQ3_KS, IQ4_KS, IQ4_KSS, IQ5_KS, IQ2_KL>();
    each.template operator()<Q4_2, Q4_3, Q4_0_GGJT1, Q4_1_GGJT1, Q5_0_GGJT1, Q5_1_GGJT1, Q8_0_GGJT1>();
    each.template operator()<Q4_0_GGJT2, Q4_1_GGJT2>();
}

} // namespace gufo::scalar
