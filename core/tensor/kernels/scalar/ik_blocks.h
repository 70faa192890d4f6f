// Unpacks the types of ik_llama.cpp. Their weights are entries of a non-linear code book; one bit for each sub-block
// selects one of two books. The types named _KS, _KSS and _KL have their scale d in the header of each row, and their
// sub-blocks have integer multiples of it; those named _BN, for the ternary weights of BitNet, have no other scale.
// Layouts as in ggml-common.h and iqk_quantize.cpp of ik_llama.cpp.
#pragma once

#include "tensor/kernels/scalar/simple_blocks.h"

namespace gufo::scalar {

inline constexpr auto kHalfRowHeader = std::to_array<BlockField>({{"d", 0, 2, 2}});
inline constexpr auto kFloatRowHeader = std::to_array<BlockField>({{"d", 0, 4, 4}});

// Two bits of weight i of 256, in 64 bytes: 32 bytes contain 128 weights, the first 32 of them in the lowest bits. The
// bits of weight 37, for example, are bits 2 and 3 of byte 5.
inline unsigned twoBits(const std::byte* from, std::size_t i) {
    return byteAt(from, i / 128 * 32 + i % 32) >> (i % 128 / 32 * 2) & 3U;
}
// Four bits of weight i of 256, in 128 bytes: 32 bytes contain 64 weights, the first 32 of them in the lowest bits. The
// bits of weight 37, for example, are the upper half of byte 5.
inline unsigned fourBits(const std::byte* from, std::size_t i) {
    return byteAt(from, i / 64 * 32 + i % 32) >> (i % 64 / 32 * 4) & 0xFU;
}
// One bit of weight i of 256, in 32 bytes: byte i mod 32 contains the bits of weights i, i + 32, …, the first lowest.
inline unsigned oneBit(const std::byte* from, std::size_t i) { return byteAt(from, i % 32) >> (i / 32) & 1U; }
// Nibble s of a sequence in which the low nibble of each byte comes first.
inline int nibble(const std::byte* from, std::size_t s) { return byteAt(from, s / 2) >> (s % 2 * 4) & 0xF; }

// d × (q − 32). The upper two bits of q are in qh: byte j has, from the lowest bits up, the bits of weights j, j + 16,
// j + 8 and j + 24.
struct Q6_0 {
    static constexpr TensorType kType = TensorType::Q6_0;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 26, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<64>(-32);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qh", 2, 8, 1}, {"qs", 10, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 10, 16, out.codes.data());
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned shift = static_cast<unsigned>(i % 16 / 8 * 4 + i / 16 * 2);
            out.codes[i] |= static_cast<Byte>((byteAt(block, 2 + i % 8) >> shift & 3U) << 4U);
        }
    }
};

// d × (t − 1), where t is a base-3 digit. A byte holds up to five digits as a fraction of 256, as in TQ1_0. Byte n of
// ql gives weights 5 (n mod 3) … + 4 of the sixteen weights n / 3; digit g of `extra` is the last of the sixteen
// weights g. ik_llama.cpp's dequantize_row_iq1_bn leaves out d and the header, but its products use both; so with
// IQ2_BN.
struct IQ1_BN {
    static constexpr TensorType kType = TensorType::IQ1_BN;
    static constexpr std::size_t kBlockSize = 64, kBlockBytes = 13, kSubBlock = 64;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<3>(-1);
    static constexpr auto kHeaderFields = kHalfRowHeader;
    static constexpr auto kFields = std::to_array<BlockField>({{"ql", 0, 12, 1}, {"extra", 12, 1, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return halfAt(header, 0); }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        constexpr std::array<unsigned, 5> kPowers{81, 27, 9, 3, 1}; // the lowest digit of a byte comes first
        const auto digit = [&](std::size_t byte, std::size_t n) {
            return static_cast<Byte>((byteAt(block, byte) * kPowers[n] & 0xFFU) * 3 >> 8U);
        };
        out.scales[0] = halfAt(header, 0);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const std::size_t group = i / 16;
            out.codes[i] = i % 16 == 15 ? digit(12, group) : digit(3 * group + i % 16 / 5, i % 16 % 5);
        }
    }
};

// d × (q − 1). Byte j has, from the lowest bits up, the codes of weights j, j + 16, j + 32 and j + 48.
struct IQ2_BN {
    static constexpr TensorType kType = TensorType::IQ2_BN;
    static constexpr std::size_t kBlockSize = 64, kBlockBytes = 16, kSubBlock = 64;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<4>(-1);
    static constexpr auto kHeaderFields = kFloatRowHeader;
    static constexpr auto kFields = std::to_array<BlockField>({{"qs", 0, 16, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return load<float>(header); }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = load<float>(header);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = byteAt(block, i % 16) >> (i / 16 * 2) & 3U;
        }
    }
};

// d × (scale − 8) × level, with one scale per 16 weights. Bit s of `extra` selects the code book of sub-block s.
struct IQ2_K {
    static constexpr TensorType kType = TensorType::IQ2_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 76, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk2Levels;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"d", 0, 2, 2}, {"extra", 2, 2, 2}, {"scales", 4, 8, 1}, {"qs", 12, 64, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 8; }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        const unsigned books = load<std::uint16_t>(block + 2);
        for (std::size_t s = 0; s < 16; ++s) {
            out.scales[s] = d * static_cast<float>(nibble(block + 4, s) - 8);
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = static_cast<Byte>(twoBits(block + 12, i) | (books >> (i / 16) & 1U) << 2U);
        }
    }
};

// d × ±(2 × scale + 1) × level, with one scale per 16 weights. Bit s of scales_h is the sign of scale s. The third bit
// of each index is in qh.
struct IQ3_K {
    static constexpr TensorType kType = TensorType::IQ3_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 110, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk3Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2},
                                                               {"extra", 2, 2, 2},
                                                               {"scales_h", 4, 2, 2},
                                                               {"scales_l", 6, 8, 1},
                                                               {"qs", 14, 64, 1},
                                                               {"qh", 78, 32, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 31; }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        const unsigned books = load<std::uint16_t>(block + 2);
        const unsigned negative = load<std::uint16_t>(block + 4);
        for (std::size_t s = 0; s < 16; ++s) {
            const int scale = 2 * nibble(block + 6, s) + 1;
            out.scales[s] = d * static_cast<float>((negative >> s & 1U) != 0 ? -scale : scale);
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned index = twoBits(block + 14, i) | oneBit(block + 78, i) << 2U;
            out.codes[i] = static_cast<Byte>(index | (books >> (i / 16) & 1U) << 3U);
        }
    }
};

// Unpacks the scales of IQ4_K and IQ5_K: d × (scale − 32), where the upper two bits of each scale are in scales_h.
inline void unpackIkScales(const std::byte* block, UnpackedBlock& out) {
    const float d = halfAt(block, 0);
    for (std::size_t s = 0; s < 16; ++s) {
        const int upper = byteAt(block, 4 + s / 4) >> (s % 4 * 2) & 3;
        out.scales[s] = d * static_cast<float>((nibble(block + 8, s) | upper << 4) - 32);
    }
}

// d × (scale − 32) × level, with one scale per 16 weights
struct IQ4_K {
    static constexpr TensorType kType = TensorType::IQ4_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 144, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk4Levels;
    static constexpr auto kFields = std::to_array<BlockField>(
        {{"d", 0, 2, 2}, {"extra", 2, 2, 2}, {"scales_h", 4, 4, 1}, {"scales_l", 8, 8, 1}, {"qs", 16, 128, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 32; }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        const unsigned books = load<std::uint16_t>(block + 2);
        unpackIkScales(block, out);
        for (std::size_t s = 0; s < 8; ++s) {
            unpackNibbles(block + 16 + 16 * s, 16, out.codes.data() + 32 * s);
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] |= static_cast<Byte>((books >> (i / 16) & 1U) << 4U);
        }
    }
};

// The scales are stored as in IQ4_K. The lower four bits of each index are in qs (fourBits()), the fifth is in qh.
struct IQ5_K {
    static constexpr TensorType kType = TensorType::IQ5_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 176, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk5Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2},
                                                               {"extra", 2, 2, 2},
                                                               {"scales_h", 4, 4, 1},
                                                               {"scales_l", 8, 8, 1},
                                                               {"qs", 16, 128, 1},
                                                               {"qh", 144, 32, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 32; }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        const unsigned books = load<std::uint16_t>(block + 2);
        unpackIkScales(block, out);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned index = fourBits(block + 16, i) | oneBit(block + 144, i) << 4U;
            out.codes[i] = static_cast<Byte>(index | (books >> (i / 16) & 1U) << 5U);
        }
    }
};

// d × scale × level, with one signed byte of scale per 16 weights. The lower four bits of each index are in qs
// (fourBits()), the upper two are in qh. ik_llama.cpp's dequantize_row_iq6_k computes the levels with a polynomial, but
// its products use this table, which is the polynomial's rounded values.
struct IQ6_K {
    static constexpr TensorType kType = TensorType::IQ6_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 212, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk6Levels;
    static constexpr auto kFields = std::to_array<BlockField>(
        {{"d", 0, 2, 2}, {"extra", 2, 2, 2}, {"scales", 4, 16, 1}, {"qs", 20, 128, 1}, {"qh", 148, 64, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 128; }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 0);
        const unsigned books = load<std::uint16_t>(block + 2);
        for (std::size_t s = 0; s < 16; ++s) {
            out.scales[s] = d * static_cast<float>(static_cast<std::int8_t>(byteAt(block, 4 + s)));
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned index = fourBits(block + 20, i) | twoBits(block + 148, i) << 4U;
            out.codes[i] = static_cast<Byte>(index | (books >> (i / 16) & 1U) << 6U);
        }
    }
};

// d × (scale − 16) × level, with d in the row header and one scale per 32 weights. Bits 0 … 7 of `extra` select the
// code books; bits 8 … 15 are the fifth bits of the scales.
struct IQ2_KS {
    static constexpr TensorType kType = TensorType::IQ2_KS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 70, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk2Levels;
    static constexpr auto kHeaderFields = kHalfRowHeader;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"extra", 0, 2, 2}, {"scales", 2, 4, 1}, {"qs", 6, 64, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return halfAt(header, 0) * 16; }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(header, 0);
        const unsigned extra = load<std::uint16_t>(block);
        for (std::size_t s = 0; s < 8; ++s) {
            const int upper = static_cast<int>(extra >> (8 + s) & 1U);
            out.scales[s] = d * static_cast<float>((nibble(block + 2, s) | upper << 4) - 16);
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = static_cast<Byte>(twoBits(block + 6, i) | (extra >> (i / 32) & 1U) << 2U);
        }
    }
};

// As IQ2_KS, with the third bit of each index in qh. The halves of `extra` are exchanged: bits 0 … 7 are the fifth bits
// of the scales. Scales 0 … 3 are the low nibbles of `scales`, scales 4 … 7 the high ones.
struct IQ3_KS {
    static constexpr TensorType kType = TensorType::IQ3_KS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 102, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk3Levels;
    static constexpr auto kHeaderFields = kHalfRowHeader;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"extra", 0, 2, 2}, {"scales", 2, 4, 1}, {"qs", 6, 64, 1}, {"qh", 70, 32, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return halfAt(header, 0) * 16; }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(header, 0);
        const unsigned extra = load<std::uint16_t>(block);
        for (std::size_t s = 0; s < 8; ++s) {
            const int scale = byteAt(block, 2 + s % 4) >> (s / 4 * 4) & 0xF;
            out.scales[s] = d * static_cast<float>((scale | static_cast<int>(extra >> s & 1U) << 4) - 16);
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned index = twoBits(block + 6, i) | oneBit(block + 70, i) << 2U;
            out.codes[i] = static_cast<Byte>(index | (extra >> (8 + i / 32) & 1U) << 3U);
        }
    }
};

// The scale of 32 weights in IQ4_KS, IQ4_KSS and IQ5_KS: d × (byte − 127), where the lowest bit of the byte selects the
// code book and is replaced by 0 in the scale.
inline float ikByteScale(float d, unsigned byte) { return d * static_cast<float>(static_cast<int>(byte & 254U) - 127); }

// d × (scale − 127) × level, with d in the row header
struct IQ4_KS {
    static constexpr TensorType kType = TensorType::IQ4_KS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 136, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk4Levels;
    static constexpr auto kHeaderFields = kFloatRowHeader;
    static constexpr auto kFields = std::to_array<BlockField>({{"scales", 0, 8, 1}, {"qs", 8, 128, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return load<float>(header) * 127; }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        const auto d = load<float>(header);
        for (std::size_t s = 0; s < 8; ++s) {
            const unsigned scale = byteAt(block, s);
            out.scales[s] = ikByteScale(d, scale);
            Byte* const codes = out.codes.data() + 32 * s;
            unpackNibbles(block + 8 + 16 * s, 16, codes);
            for (std::size_t i = 0; i < 32; ++i) {
                codes[i] |= static_cast<Byte>((scale & 1U) << 4U);
            }
        }
    }
};

// As IQ4_KS, with one byte less per 32 weights, which are eight 16-bit words. Bit w of the scale's byte is the lowest
// bit of word w. With that bit cleared, word ^ word >> 1 holds four indices, in the order of IQ4_KS.
struct IQ4_KSS {
    static constexpr TensorType kType = TensorType::IQ4_KSS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 128, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk4Levels;
    static constexpr auto kHeaderFields = kFloatRowHeader;
    static constexpr auto kFields = std::to_array<BlockField>({{"qs", 0, 128, 2}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return load<float>(header) * 127; }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        const auto d = load<float>(header);
        for (std::size_t s = 0; s < 8; ++s) {
            unsigned scale = 0;
            std::array<std::byte, 16> indices;
            for (std::size_t w = 0; w < 8; ++w) {
                const unsigned word = load<std::uint16_t>(block + 16 * s + 2 * w);
                const unsigned even = word & 0xFFFEU;
                scale |= (word & 1U) << w;
                store(indices.data() + 2 * w, static_cast<std::uint16_t>(even ^ even >> 1U));
            }
            out.scales[s] = ikByteScale(d, scale);
            Byte* const codes = out.codes.data() + 32 * s;
            unpackNibbles(indices.data(), 16, codes);
            for (std::size_t i = 0; i < 32; ++i) {
                codes[i] |= static_cast<Byte>((scale & 1U) << 4U);
            }
        }
    }
};

// The scales are stored as in IQ4_KS. The lower four bits of each index are in qs (fourBits()), the fifth is in qh.
struct IQ5_KS {
    static constexpr TensorType kType = TensorType::IQ5_KS;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 168, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIk5Levels;
    static constexpr auto kHeaderFields = kFloatRowHeader;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"scales", 0, 8, 1}, {"qs", 8, 128, 1}, {"qh", 136, 32, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return load<float>(header) * 127; }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        const auto d = load<float>(header);
        for (std::size_t s = 0; s < 8; ++s) {
            out.scales[s] = ikByteScale(d, byteAt(block, s));
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned index = fourBits(block + 8, i) | oneBit(block + 136, i) << 4U;
            out.codes[i] = static_cast<Byte>(index | (byteAt(block, i / 32) & 1U) << 5U);
        }
    }
};

// d × (scale − 32) × level, with d in the row header and one scale per 32 weights. Five bits are the index of a pair of
// adjacent weights in kIkPairs; the fifth is in qh. The upper two bits of the scales are in scales_h. The lower four of
// scales 0 … 3 are the low nibbles of scales_l, scales 4 … 7 the high ones.
struct IQ2_KL {
    static constexpr TensorType kType = TensorType::IQ2_KL;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 86, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kIkPairLevels;
    static constexpr auto kHeaderFields = kHalfRowHeader;
    static constexpr auto kFields =
        std::to_array<BlockField>({{"scales_h", 0, 2, 2}, {"scales_l", 2, 4, 1}, {"qs", 6, 64, 1}, {"qh", 70, 16, 1}});
    static float scaleBound(const std::byte* header, const std::byte* /*block*/) { return halfAt(header, 0) * 32; }
    static void unpack(const std::byte* header, const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(header, 0);
        const unsigned upper = load<std::uint16_t>(block);
        for (std::size_t s = 0; s < 8; ++s) {
            const int scale = byteAt(block, 2 + s % 4) >> (s / 4 * 4) & 0xF;
            out.scales[s] = d * static_cast<float>((scale | static_cast<int>(upper >> (2 * s) & 3U) << 4) - 32);
            for (std::size_t j = 0; j < 16; ++j) {
                const unsigned low = byteAt(block, 6 + s / 2 * 16 + j) >> (s % 2 * 4) & 0xFU;
                const unsigned high = byteAt(block, 70 + j) >> s & 1U;
                const Byte pair = kIkPairs[low | high << 4U];
                out.codes[32 * s + 2 * j] = pair & 7U;
                out.codes[32 * s + 2 * j + 1] = pair >> 3U;
            }
        }
    }
};

} // namespace gufo::scalar
