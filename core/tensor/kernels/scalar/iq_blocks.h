// Unpacks the IQ types: super-blocks of 256 weights, most of them entries of a code book with separate signs.
#pragma once

#include "tensor/kernels/scalar/simple_blocks.h"

namespace gufo::scalar {

// Unpacks eight weights from a code book entry of 2-bit magnitudes and a sign mask.
inline void unpackIq2Entry(std::uint16_t entry, std::uint8_t signs, Byte* codes) {
    for (unsigned i = 0; i < 8; ++i) {
        codes[i] = signedCode(3, entry >> (2 * i) & 3U, (signs >> i & 1U) != 0);
    }
}
// Unpacks four weights from an entry of 3-bit magnitudes.
inline void unpackIq3Entry(std::uint16_t entry, unsigned signs, Byte* codes) {
    for (unsigned i = 0; i < 4; ++i) {
        codes[i] = signedCode(8, entry >> (3 * i) & 7U, (signs >> i & 1U) != 0);
    }
}

// Every 32 weights have four index bytes and a 32-bit word with four groups of seven sign bits and a 4-bit scale.
struct IQ2_XXS {
    static constexpr TensorType kType = TensorType::IQ2_XXS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 66, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq2Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2},
                                                               {"qs[0]", 2, 4, 1},
                                                               {"signs[0]", 6, 4, 4},
                                                               {"qs[1]", 10, 4, 1},
                                                               {"signs[1]", 14, 4, 4},
                                                               {"qs[2]", 18, 4, 1},
                                                               {"signs[2]", 22, 4, 4},
                                                               {"qs[3]", 26, 4, 1},
                                                               {"signs[3]", 30, 4, 4},
                                                               {"qs[4]", 34, 4, 1},
                                                               {"signs[4]", 38, 4, 4},
                                                               {"qs[5]", 42, 4, 1},
                                                               {"signs[5]", 46, 4, 4},
                                                               {"qs[6]", 50, 4, 1},
                                                               {"signs[6]", 54, 4, 4},
                                                               {"qs[7]", 58, 4, 1},
                                                               {"signs[7]", 62, 4, 4}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 15.5F * 0.25F; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        for (std::size_t s = 0; s < 8; ++s) {
            const auto word = load<std::uint32_t>(block + 6 + 8 * s);
            out.scales[s] = d * (0.5F + static_cast<float>(word >> 28U)) * 0.25F;
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t s = 0; s < 8; ++s) {
            const std::byte* group = block + 2 + 8 * s;
            const auto word = load<std::uint32_t>(group + 4);
            for (std::size_t l = 0; l < 4; ++l) {
                unpackIq2Entry(kIq2XxsGrid[byteAt(group, l)], signMask(word >> (7 * l) & 127U),
                               out.codes.data() + 32 * s + 8 * l);
            }
        }
    }
};

// Unpacks the scales of IQ2_XS and IQ2_S: one nibble per 16 weights.
inline void unpackIq2Scales(const std::byte* block, std::size_t offset, UnpackedBlock& out) {
    const float d = halfAt(block, 0);
    for (std::size_t s = 0; s < 16; ++s) {
        const auto scale = static_cast<float>(byteAt(block, offset + s / 2) >> (s % 2 * 4) & 0xF);
        out.scales[s] = d * (0.5F + scale) * 0.25F;
    }
}

// Every 8 weights have a 16-bit word with 9 bits of index and 7 bits of signs.
struct IQ2_XS {
    static constexpr TensorType kType = TensorType::IQ2_XS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 74, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq2Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 64, 2}, {"scales", 66, 8, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 15.5F * 0.25F; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { unpackIq2Scales(block, 66, out); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t g = 0; g < 32; ++g) {
            const auto word = load<std::uint16_t>(block + 2 + 2 * g);
            unpackIq2Entry(kIq2XsGrid[word & 511U], signMask(word >> 9U), out.codes.data() + 8 * g);
        }
    }
};

// Every 8 weights have an index byte with two more bits in qh, and a byte of signs.
struct IQ2_S {
    static constexpr TensorType kType = TensorType::IQ2_S;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 82, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq2Levels;
    static constexpr auto kFields = std::to_array<BlockField>(
        {{"d", 0, 2, 2}, {"qs", 2, 32, 1}, {"signs", 34, 32, 1}, {"qh", 66, 8, 1}, {"scales", 74, 8, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 15.5F * 0.25F; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { unpackIq2Scales(block, 74, out); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t g = 0; g < 32; ++g) {
            const unsigned upper = byteAt(block, 66 + g / 4) >> (2 * (g % 4)) & 3U;
            unpackIq2Entry(kIq2SGrid[byteAt(block, 2 + g) | upper << 8U], byteAt(block, 34 + g),
                           out.codes.data() + 8 * g);
        }
    }
};

// Every 4 weights have an index byte. Every 32 weights have a 32-bit word with four groups of seven sign bits and a
// 4-bit scale.
struct IQ3_XXS {
    static constexpr TensorType kType = TensorType::IQ3_XXS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 98, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq3XxsLevels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 64, 1}, {"signs", 66, 32, 4}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 15.5F * 0.5F; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        for (std::size_t s = 0; s < 8; ++s) {
            const auto word = load<std::uint32_t>(block + 66 + 4 * s);
            out.scales[s] = d * (0.5F + static_cast<float>(word >> 28U)) * 0.5F;
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t s = 0; s < 8; ++s) {
            const auto word = load<std::uint32_t>(block + 66 + 4 * s);
            for (std::size_t l = 0; l < 8; ++l) {
                const unsigned signs = signMask(word >> (7 * (l / 2)) & 127U);
                unpackIq3Entry(kIq3XxsGrid[byteAt(block, 2 + 8 * s + l)], signs >> (l % 2 * 4),
                               out.codes.data() + 32 * s + 4 * l);
            }
        }
    }
};

// Every 4 weights have an index byte with one more bit in qh, and a nibble of signs. Every 32 weights have a 4-bit
// scale s, which stands for 1 + 2s.
struct IQ3_S {
    static constexpr TensorType kType = TensorType::IQ3_S;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 110, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq3SLevels;
    static constexpr auto kFields = std::to_array<BlockField>(
        {{"d", 0, 2, 2}, {"qs", 2, 64, 1}, {"qh", 66, 8, 1}, {"signs", 74, 32, 1}, {"scales", 106, 4, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 31; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        for (std::size_t s = 0; s < 8; ++s) {
            const int scale = byteAt(block, 106 + s / 2) >> (s % 2 * 4) & 0xF;
            out.scales[s] = d * static_cast<float>(1 + 2 * scale);
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t g = 0; g < 64; ++g) {
            const unsigned upper = byteAt(block, 66 + g / 8) >> (g % 8) & 1U;
            const unsigned signs = byteAt(block, 74 + g / 2) >> (g % 2 * 4);
            unpackIq3Entry(kIq3SGrid[byteAt(block, 2 + g) | upper << 8U], signs, out.codes.data() + 4 * g);
        }
    }
};

// Unpacks eight ternary weights with their shift, in eighths: 8 × weight ± 1 as a code of kIq1Levels.
inline void unpackIq1Entry(std::uint16_t entry, bool negativeShift, Byte* codes) {
    for (unsigned i = 0; i < 8; ++i) {
        const unsigned ternary = entry >> (2 * i) & 3U; // weight + 1
        codes[i] = static_cast<Byte>(2 * ternary + (negativeShift ? 0U : 1U));
    }
}

// Every 8 weights have an index byte. Every 32 weights have a 16-bit word with three more index bits for each of the
// four entries, a 3-bit scale s, which stands for 2s + 1, and the sign of the shift.
struct IQ1_S {
    static constexpr TensorType kType = TensorType::IQ1_S;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 50, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq1Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 32, 1}, {"qh", 34, 16, 2}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 15 * 0.125F; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        for (std::size_t s = 0; s < 8; ++s) {
            const auto word = load<std::uint16_t>(block + 34 + 2 * s);
            out.scales[s] = d * static_cast<float>(2 * (word >> 12U & 7U) + 1) * 0.125F;
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t s = 0; s < 8; ++s) {
            const auto word = load<std::uint16_t>(block + 34 + 2 * s);
            for (std::size_t l = 0; l < 4; ++l) {
                const unsigned upper = word >> (3 * l) & 7U;
                unpackIq1Entry(kIq1Grid[byteAt(block, 2 + 4 * s + l) | upper << 8U], (word & 0x8000U) != 0,
                               out.codes.data() + 32 * s + 8 * l);
            }
        }
    }
};

// As IQ1_S, with the upper index bits and the sign of the shift in nibbles of qh. Each of the four words in `scales`
// holds four 3-bit scales for 16 weights each; the upper nibbles of the words together are the bits of d.
struct IQ1_M {
    static constexpr TensorType kType = TensorType::IQ1_M;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 56, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq1Levels;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"qs", 0, 32, 1}, {"qh", 32, 16, 1}, {"scales", 48, 8, 2}});
    static float scaleOf(const std::byte* block) {
        unsigned half = 0;
        for (std::size_t w = 0; w < 4; ++w) {
            half |= static_cast<unsigned>(load<std::uint16_t>(block + 48 + 2 * w) >> 12U) << (4 * w);
        }
        return floatFromHalf(static_cast<std::uint16_t>(half));
    }
    static float scaleBound(const std::byte* block) { return scaleOf(block) * 15 * 0.125F; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = scaleOf(block);
        for (std::size_t s = 0; s < 16; ++s) {
            const unsigned scale = load<std::uint16_t>(block + 48 + s / 4 * 2) >> (s % 4 * 3) & 7U;
            out.scales[s] = d * static_cast<float>(2 * scale + 1) * 0.125F;
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t g = 0; g < 32; ++g) {
            const unsigned nibble = byteAt(block, 32 + g / 2) >> (g % 2 * 4) & 0xFU;
            unpackIq1Entry(kIq1Grid[byteAt(block, g) | (nibble & 7U) << 8U], (nibble & 8U) != 0,
                           out.codes.data() + 8 * g);
        }
    }
};

// d × level
struct IQ4_NL {
    static constexpr TensorType kType = TensorType::IQ4_NL;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 18, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq4Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 2, 16, out.codes.data());
    }
};

// d × (scale − 32) × level; eight 6-bit scales, whose upper two bits are in one word
struct IQ4_XS {
    static constexpr TensorType kType = TensorType::IQ4_XS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 136, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIq4Levels;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"d", 0, 2, 2}, {"scales_h", 2, 2, 2}, {"scales_l", 4, 4, 1}, {"qs", 8, 128, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 32; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        const auto upper = load<std::uint16_t>(block + 2);
        for (std::size_t s = 0; s < 8; ++s) {
            const int scale = (byteAt(block, 4 + s / 2) >> (s % 2 * 4) & 0xF) | (upper >> (2 * s) & 3) << 4;
            out.scales[s] = d * static_cast<float>(scale - 32);
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t s = 0; s < 8; ++s) {
            unpackNibbles(block + 8 + 16 * s, 16, out.codes.data() + 32 * s);
        }
    }
};

} // namespace gufo::scalar
