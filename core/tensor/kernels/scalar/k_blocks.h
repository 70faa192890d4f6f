// Unpacks the K-quants: super-blocks of 256 weights with small integer scales for each 16 or 32 weights.
#pragma once

#include "tensor/kernels/scalar/simple_blocks.h"

namespace gufo::scalar {

// d × scale × q − dmin × minimum; scale and minimum are the nibbles of one byte per 16 weights
struct Q2_K {
    static constexpr TensorType kType = TensorType::Q2_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 84, kSubBlock = 16;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<4>(0);
    static constexpr auto kFields =
        std::to_array<BlockField>({{"scales", 0, 16, 1}, {"qs", 16, 64, 1}, {"d", 80, 2, 2}, {"dmin", 82, 2, 2}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 80) * 15; }
    static float minimumBound(const std::byte* block) { return halfAt(block, 82) * 15; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 80);
        const float dmin = halfAt(block, 82);
        for (std::size_t s = 0; s < 16; ++s) {
            out.scales[s] = d * static_cast<float>(lowNibble(block, s));
            out.minima[s] = dmin * static_cast<float>(highNibble(block, s));
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = byteAt(block, 16 + i / 128 * 32 + i % 32) >> (i % 128 / 32 * 2) & 3U;
        }
    }
};

// d × (scale − 32) × (q − 4); the third bit of q is in hmask; 16 scales of 6 bits: low nibbles in 8 bytes, upper two
// bits in 4 more
struct Q3_K {
    static constexpr TensorType kType = TensorType::Q3_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 110, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<8>(-4);
    static constexpr auto kFields =
        std::to_array<BlockField>({{"hmask", 0, 32, 1}, {"qs", 32, 64, 1}, {"scales", 96, 12, 1}, {"d", 108, 2, 2}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 108) * 32; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 108);
        for (std::size_t s = 0; s < 16; ++s) {
            const int low = s < 8 ? lowNibble(block, 96 + s) : highNibble(block, 96 + s - 8);
            const int high = byteAt(block, 104 + s % 4) >> (s / 4 * 2) & 3;
            out.scales[s] = d * static_cast<float>((low | high << 4) - 32);
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned low = byteAt(block, 32 + i / 128 * 32 + i % 32) >> (i % 128 / 32 * 2) & 3U;
            const unsigned high = byteAt(block, i % 32) >> (i / 32) & 1U;
            out.codes[i] = static_cast<Byte>(low | high << 2U);
        }
    }
};

// Unpacks the eight 6-bit scales and minima of Q4_K and Q5_K from 12 bytes. Those of sub-blocks 0…3 are the low six
// bits of bytes 0…3 and 4…7. Those of 4…7 have their low nibbles in bytes 8…11 and their upper two bits on top of bytes
// 0…7.
inline void unpackScalesAndMinima(const std::byte* block, UnpackedBlock& out) {
    const float d = halfAt(block, 0);
    const float dmin = halfAt(block, 2);
    const std::byte* packed = block + 4;
    for (std::size_t s = 0; s < 8; ++s) {
        unsigned scale = byteAt(packed, s % 4) & 63U;
        unsigned minimum = byteAt(packed, 4 + s % 4) & 63U;
        if (s >= 4) {
            scale = lowNibble(packed, s + 4) | static_cast<unsigned>(byteAt(packed, s - 4) >> 6U) << 4U;
            minimum = highNibble(packed, s + 4) | static_cast<unsigned>(byteAt(packed, s) >> 6U) << 4U;
        }
        out.scales[s] = d * static_cast<float>(scale);
        out.minima[s] = dmin * static_cast<float>(minimum);
    }
}

// d × scale × q − dmin × minimum
struct Q4_K {
    static constexpr TensorType kType = TensorType::Q4_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 144, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<16>(0);
    static constexpr auto kFields =
        std::to_array<BlockField>({{"d", 0, 2, 2}, {"dmin", 2, 2, 2}, {"scales", 4, 12, 1}, {"qs", 16, 128, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 63; }
    static float minimumBound(const std::byte* block) { return halfAt(block, 2) * 63; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { unpackScalesAndMinima(block, out); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t pair = 0; pair < 4; ++pair) {
            unpackNibbles(block + 16 + 32 * pair, 32, out.codes.data() + 64 * pair);
        }
    }
};

// As Q4_K; the fifth bits of sub-block s are bits s of qh
struct Q5_K {
    static constexpr TensorType kType = TensorType::Q5_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 176, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<32>(0);
    static constexpr auto kFields = std::to_array<BlockField>(
        {{"d", 0, 2, 2}, {"dmin", 2, 2, 2}, {"scales", 4, 12, 1}, {"qh", 16, 32, 1}, {"qs", 48, 128, 1}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 0) * 63; }
    static float minimumBound(const std::byte* block) { return halfAt(block, 2) * 63; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { unpackScalesAndMinima(block, out); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t pair = 0; pair < 4; ++pair) {
            unpackNibbles(block + 48 + 32 * pair, 32, out.codes.data() + 64 * pair);
        }
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            const unsigned fifth = byteAt(block, 16 + i % 32) >> (i / 32) & 1U;
            out.codes[i] = static_cast<Byte>(out.codes[i] | fifth << 4U);
        }
    }
};

// d × scale × (q − 32); each half of 128 weights has its low four bits in 64 bytes and its upper two in 32
struct Q6_K {
    static constexpr TensorType kType = TensorType::Q6_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 210, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<64>(-32);
    static constexpr auto kFields =
        std::to_array<BlockField>({{"ql", 0, 128, 1}, {"qh", 128, 64, 1}, {"scales", 192, 16, 1}, {"d", 208, 2, 2}});
    static float scaleBound(const std::byte* block) { return halfAt(block, 208) * 128; }
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        const float d = halfAt(block, 208);
        for (std::size_t s = 0; s < 16; ++s) {
            out.scales[s] = d * static_cast<float>(load<std::int8_t>(block + 192 + s));
        }
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t half = 0; half < 2; ++half) {
            Byte* codes = out.codes.data() + 128 * half;
            unpackNibbles(block + 64 * half, 64, codes);
            for (std::size_t i = 0; i < 128; ++i) {
                const unsigned upper = byteAt(block, 128 + 32 * half + i % 32) >> (i / 32 * 2) & 3U;
                codes[i] = static_cast<Byte>(codes[i] | upper << 4U);
            }
        }
    }
};

// d × q; bsums (sums of 16 weights) are for dot products
struct Q8_K {
    static constexpr TensorType kType = TensorType::Q8_K;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 292, kSubBlock = 256;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<256>(-128);
    static constexpr auto kFields =
        std::to_array<BlockField>({{"d", 0, 4, 4}, {"qs", 4, 256, 1}, {"bsums", 260, 32, 2}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = load<float>(block); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackSignedBytes(block + 4, 256, out.codes.data());
    }
};

} // namespace gufo::scalar
