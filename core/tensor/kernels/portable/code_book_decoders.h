// Decoders of the IQ types with code books, based on the primitives of an instruction set (vectors.h).
#pragma once

#include "tensor/kernels/portable/decoders.h"

namespace {

inline std::uint32_t signs16(std::uint32_t stored14) {
    const auto mask = [](std::uint32_t stored7) {
        return stored7 | (static_cast<std::uint32_t>(__builtin_popcount(stored7)) & 1U) << 7U;
    };
    return mask(stored14 & 127U) | mask(stored14 >> 7U & 127U) << 8U;
}

inline void putSigned(float* out, I8x16 magnitudes, std::uint32_t negative, float scale) {
    const I8x16 mask = asSigned(maskOfBits(negative));
    put16(out, (magnitudes ^ mask) - mask, scale);
}

// Stores the weights of two entries of a code book of IQ2.
inline void putIq2(float* out, std::uint64_t first, std::uint64_t second, std::uint32_t negative, float scale) {
    const I8x16 magnitudes = {8, 25, 43};
    putSigned(out, lookUp(magnitudes, join(first, second)), negative, scale);
}

void decodeIQ2_XXS(Block block, std::size_t count, float* out) {
    using gufo::kIq2XxsBytes;
    for (; count != 0; --count, block += 66) {
        const float d = half(block);
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const auto indices = get<std::uint32_t>(block + 2 + 8 * s);
            const auto word = get<std::uint32_t>(block + 6 + 8 * s);
            const float scale = d * (0.5F + static_cast<float>(static_cast<int>(word >> 28U))) * 0.25F;
            putIq2(out, kIq2XxsBytes[indices & 255U], kIq2XxsBytes[indices >> 8U & 255U], signs16(word), scale);
            putIq2(out + 16, kIq2XxsBytes[indices >> 16U & 255U], kIq2XxsBytes[indices >> 24U], signs16(word >> 14U),
                   scale);
        }
    }
}

inline float iq2Scale(Block packed, std::size_t s, float d) {
    const int nibble = static_cast<int>(packed[s / 2]) >> (s % 2 * 4) & 15;
    return d * (0.5F + static_cast<float>(nibble)) * 0.25F;
}

void decodeIQ2_XS(Block block, std::size_t count, float* out) {
    using gufo::kIq2XsBytes;
    for (; count != 0; --count, block += 74) {
        const float d = half(block);
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const auto words = get<std::uint32_t>(block + 2 + 4 * s);
            const std::uint32_t signs = (words >> 9U & 127U) | (words >> 25U) << 7U;
            putIq2(out, kIq2XsBytes[words & 511U], kIq2XsBytes[words >> 16U & 511U], signs16(signs),
                   iq2Scale(block + 66, s, d));
        }
    }
}

void decodeIQ2_S(Block block, std::size_t count, float* out) {
    using gufo::kIq2SBytes;
    for (; count != 0; --count, block += 82) {
        const float d = half(block);
        const auto upper = get<std::uint64_t>(block + 66);
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const std::uint32_t indices = get<std::uint16_t>(block + 2 + 2 * s);
            const auto bits = static_cast<std::uint32_t>(upper >> (4 * s));
            putIq2(out, kIq2SBytes[(indices & 255U) | (bits & 3U) << 8U],
                   kIq2SBytes[indices >> 8U | (bits >> 2U & 3U) << 8U], get<std::uint16_t>(block + 34 + 2 * s),
                   iq2Scale(block + 74, s, d));
        }
    }
}

// Looks up four entries of four weights: entry(0 … 3).
template<typename Entry>
inline U8x16 iq3Codes(Entry entry) {
    return join(entry(0) | std::uint64_t{entry(1)} << 32U, entry(2) | std::uint64_t{entry(3)} << 32U);
}

void decodeIQ3_XXS(Block block, std::size_t count, float* out) {
    const I8x16 magnitudes = {4, 12, 20, 28, 36, 44, 52, 62};
    for (; count != 0; --count, block += 98) {
        const float d = half(block);
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const auto word = get<std::uint32_t>(block + 66 + s / 2 * 4);
            const auto indices = get<std::uint32_t>(block + 2 + 4 * s);
            const float scale = d * (0.5F + static_cast<float>(static_cast<int>(word >> 28U))) * 0.5F;
            const U8x16 codes = iq3Codes([=](int i) { return gufo::kIq3XxsBytes[indices >> (8 * i) & 255U]; });
            putSigned(out, lookUp(magnitudes, codes), signs16(word >> (s % 2 * 14)), scale);
        }
    }
}

void decodeIQ3_S(Block block, std::size_t count, float* out) {
    const I8x16 magnitudes = {1, 3, 5, 7, 9, 11, 13, 15};
    for (; count != 0; --count, block += 110) {
        const float d = half(block);
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const auto indices = get<std::uint32_t>(block + 2 + 4 * s);
            const auto upper = static_cast<std::uint32_t>(block[66 + s / 2]) >> (s % 2 * 4);
            const int small = static_cast<int>(block[106 + s / 4]) >> (s / 2 % 2 * 4) & 15;
            const U8x16 codes = iq3Codes(
                [=](int i) { return gufo::kIq3SBytes[(indices >> (8 * i) & 255U) | (upper >> i & 1U) << 8U]; });
            putSigned(out, lookUp(magnitudes, codes), get<std::uint16_t>(block + 74 + 2 * s),
                      d * static_cast<float>(1 + 2 * small));
        }
    }
}

// In eighths: 8 × (ternary − 1), shifted up or down by one. A byte of `up` has all bits set if its weight is shifted
// up.
inline void putIq1(float* out, std::uint64_t first, std::uint64_t second, U8x16 up, float scale) {
    const I8x16 ternary = asSigned(join(first, second));
    put16(out, ternary * 8 - 9 - 2 * asSigned(up), scale);
}

void decodeIQ1_S(Block block, std::size_t count, float* out) {
    using gufo::kIq1Bytes;
    for (; count != 0; --count, block += 50) {
        const float d = half(block);
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const auto indices = get<std::uint32_t>(block + 2 + 4 * s);
            const std::uint32_t word = get<std::uint16_t>(block + 34 + 2 * s);
            const float scale = d * static_cast<float>(static_cast<int>(2 * (word >> 12U & 7U) + 1)) * 0.125F;
            const U8x16 up = all((word & 0x8000U) != 0 ? 0 : 0xFF);
            putIq1(out, kIq1Bytes[(indices & 255U) | (word & 7U) << 8U],
                   kIq1Bytes[(indices >> 8U & 255U) | (word >> 3U & 7U) << 8U], up, scale);
            putIq1(out + 16, kIq1Bytes[(indices >> 16U & 255U) | (word >> 6U & 7U) << 8U],
                   kIq1Bytes[indices >> 24U | (word >> 9U & 7U) << 8U], up, scale);
        }
    }
}

void decodeIQ1_M(Block block, std::size_t count, float* out) {
    using gufo::kIq1Bytes;
    for (; count != 0; --count, block += 56) {
        const auto packed = get<std::uint64_t>(block + 48);
        // The half consists of the highest nibbles of four words: 0x4…, 0x3…, 0x2… and 0x1… give 0x1234.
        const auto bits = static_cast<std::uint16_t>((packed >> 12U & 0xFU) | (packed >> 24U & 0xF0U) |
                                                     (packed >> 36U & 0xF00U) | (packed >> 48U & 0xF000U));
        const float d = half(&bits);
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const auto small = static_cast<int>(packed >> (16 * (s / 4) + 3 * (s % 4)) & 7U);
            const std::uint32_t indices = get<std::uint16_t>(block + 2 * s);
            const auto nibbles = static_cast<std::uint32_t>(block[32 + s]);
            const U8x16 up =
                join((nibbles & 8U) != 0 ? 0 : ~std::uint64_t{0}, (nibbles & 128U) != 0 ? 0 : ~std::uint64_t{0});
            putIq1(out, kIq1Bytes[(indices & 255U) | (nibbles & 7U) << 8U],
                   kIq1Bytes[indices >> 8U | (nibbles >> 4U & 7U) << 8U], up,
                   d * static_cast<float>(2 * small + 1) * 0.125F);
        }
    }
}

} // namespace
