// Unpacks the simple quantised types: one scale (and possibly one offset) for a short block.
//
// Each type is a struct that corresponds to one row of the table of block layouts. It defines the size, the levels, the
// location of the fields, and unpack(), which is the specification of the format. A type with a row header also defines
// kHeaderFields, and its unpack() takes the header of the block's row. A type may also define unpackScales(), which
// leaves out the codes: the range of its weights is then found faster (boundsOf() of all_blocks.h). It may also define
// scaleBound(), a number whose magnitude no scale exceeds, and minimumBound(), the same for minima, for
// looseBoundsOf(). Scales and minima with the other sign must then not occur if the type has minima. With a row header,
// scaleBound() must hold for all blocks of the row. Layouts as in ggml's ggml-common.h.
#pragma once

#include "base/byte_order.h"
#include "tensor/block_layout.h"
#include "tensor/code_books.h"
#include "tensor/float_formats.h"
#include "tensor/tensor_type.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gufo::scalar {

// --- the levels of codes: the numbers that are multiplied by the scale

// The levels first, first + 1, … of the codes 0, 1, ….
template<std::size_t Count>
constexpr std::array<std::int8_t, Count> linearLevels(int first) {
    std::array<std::int8_t, Count> levels{};
    for (std::size_t i = 0; i < Count; ++i) {
        levels[i] = static_cast<std::int8_t>(first + static_cast<int>(i));
    }
    return levels;
}

// The levels −largest … −smallest, smallest … largest.
template<std::size_t Count>
constexpr std::array<std::int8_t, 2 * Count> signedLevels(const std::array<std::int8_t, Count>& magnitudes) {
    std::array<std::int8_t, 2 * Count> levels{};
    for (std::size_t i = 0; i < Count; ++i) {
        levels[Count + i] = magnitudes[i];
        levels[Count - 1 - i] = static_cast<std::int8_t>(-magnitudes[i]);
    }
    return levels;
}
// The code of the magnitude with this index in signedLevels().
constexpr std::uint8_t signedCode(std::size_t count, std::uint32_t index, bool negative) {
    return static_cast<std::uint8_t>(negative ? count - 1 - index : count + index);
}

inline constexpr auto kIq2Levels = signedLevels(kIq2Magnitudes);
inline constexpr auto kIq3XxsLevels = signedLevels(kIq3XxsMagnitudes);
inline constexpr auto kIq3SLevels = signedLevels(kIq3SMagnitudes);
// In eighths of the scale: a ternary weight and the shift of its block by ±1/8.
inline constexpr std::array<std::int8_t, 6> kIq1Levels{-9, -7, -1, 1, 7, 9};

// --- fields of blocks

using Byte = std::uint8_t;

template<typename Block>
inline constexpr bool hasRowHeader = requires { Block::kHeaderFields; };

inline Byte byteAt(const std::byte* block, std::size_t offset) { return static_cast<Byte>(block[offset]); }
inline float halfAt(const std::byte* block, std::size_t offset) {
    return floatFromHalf(load<std::uint16_t>(block + offset));
}
inline Byte lowNibble(const std::byte* block, std::size_t offset) { return byteAt(block, offset) & 0xFU; }
inline Byte highNibble(const std::byte* block, std::size_t offset) { return byteAt(block, offset) >> 4U; }

// Unpacks weights 0…n−1 from the low nibbles of n bytes and n…2n−1 from the high nibbles.
inline void unpackNibbles(const std::byte* from, std::size_t n, Byte* codes) {
    for (std::size_t i = 0; i < n; ++i) {
        codes[i] = lowNibble(from, i);
        codes[i + n] = highNibble(from, i);
    }
}

// d × (q − 8)
struct Q4_0 {
    static constexpr TensorType kType = TensorType::Q4_0;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 18, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<16>(-8);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 2, 16, out.codes.data());
    }
};

// d × q + m
struct Q4_1 {
    static constexpr TensorType kType = TensorType::Q4_1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 20, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<16>(0);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"m", 2, 2, 2}, {"qs", 4, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = halfAt(block, 0);
        out.minima[0] = -halfAt(block, 2);
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 4, 16, out.codes.data());
    }
};

// Adds the fifth bits to codes: the fifth bit of weight i is bit i of a 32-bit word.
inline void addFifthBits(const std::byte* word, Byte* codes) {
    const auto bits = load<std::uint32_t>(word);
    for (std::size_t i = 0; i < 32; ++i) {
        codes[i] = static_cast<Byte>(codes[i] | (bits >> i & 1U) << 4U);
    }
}

// d × (q − 16)
struct Q5_0 {
    static constexpr TensorType kType = TensorType::Q5_0;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 22, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<32>(-16);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qh", 2, 4, 4}, {"qs", 6, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 6, 16, out.codes.data());
        addFifthBits(block + 2, out.codes.data());
    }
};

// d × q + m
struct Q5_1 {
    static constexpr TensorType kType = TensorType::Q5_1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 24, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<32>(0);
    static constexpr auto kFields =
        std::to_array<BlockField>({{"d", 0, 2, 2}, {"m", 2, 2, 2}, {"qh", 4, 4, 4}, {"qs", 8, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = halfAt(block, 0);
        out.minima[0] = -halfAt(block, 2);
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 8, 16, out.codes.data());
        addFifthBits(block + 4, out.codes.data());
    }
};

// Converts signed bytes to codes: −128 is code 0.
inline void unpackSignedBytes(const std::byte* from, std::size_t n, Byte* codes) {
    for (std::size_t i = 0; i < n; ++i) {
        codes[i] = byteAt(from, i) ^ 0x80U;
    }
}

// d × q
struct Q8_0 {
    static constexpr TensorType kType = TensorType::Q8_0;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 34, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<256>(-128);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 32, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackSignedBytes(block + 2, 32, out.codes.data());
    }
};

// d × q; s = d × Σq is for dot products
struct Q8_1 {
    static constexpr TensorType kType = TensorType::Q8_1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 36, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<256>(-128);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"s", 2, 2, 2}, {"qs", 4, 32, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackSignedBytes(block + 4, 32, out.codes.data());
    }
};

// d × (2q − 1); q is bit i % 8 of byte i / 8
struct Q1_0 {
    static constexpr TensorType kType = TensorType::Q1_0;
    static constexpr std::size_t kBlockSize = 128, kBlockBytes = 18, kSubBlock = 128;
    static constexpr bool kHasMinima = false;
    static constexpr std::array<std::int8_t, 2> kLevels{-1, 1};
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = byteAt(block, 2 + i / 8) >> (i % 8) & 1U;
        }
    }
};

// d × (q − 1); q is the two bits of byte i / 4 from bit 2(i % 4) on
struct Q2_0 {
    static constexpr TensorType kType = TensorType::Q2_0;
    static constexpr std::size_t kBlockSize = 64, kBlockBytes = 18, kSubBlock = 64;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<4>(-1);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = byteAt(block, 2 + i / 4) >> (2 * (i % 4)) & 3U;
        }
    }
};

// d × (t − 1), where t is a base-3 digit. A byte holds five digits as a fraction of 256, so digit n is the integer part
// of 3 × (byte × 3^n mod 256) / 256: the digits of 200 are 2, 1, 0, 0 and 0. Digit n of bytes 0…31 gives weights 32n…,
// of bytes 32…47 weights 160 + 16n…. The last four bytes hold four digits each, weights 240 + 4n….
struct TQ1_0 {
    static constexpr TensorType kType = TensorType::TQ1_0;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 54, kSubBlock = 256;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<3>(-1);
    static constexpr auto kFields = std::to_array<BlockField>({{"qs", 0, 48, 1}, {"qh", 48, 4, 1}, {"d", 52, 2, 2}});
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = halfAt(block, 52);
        Byte* code = out.codes.data();
        const auto digits = [&](std::size_t offset, std::size_t bytes, int count) {
            unsigned power = 1;
            for (int n = 0; n < count; ++n, power *= 3) {
                for (std::size_t i = 0; i < bytes; ++i) {
                    const unsigned shifted = byteAt(block, offset + i) * power & 0xFFU;
                    *code++ = static_cast<Byte>(shifted * 3 >> 8U);
                }
            }
        };
        digits(0, 32, 5);
        digits(32, 16, 5);
        digits(48, 4, 4);
    }
};

// d × (q − 1). Each half of 128 weights has 32 bytes; the two bits from bit 2n on are weights 32n… of the half.
struct TQ2_0 {
    static constexpr TensorType kType = TensorType::TQ2_0;
    static constexpr std::size_t kBlockSize = 256, kBlockBytes = 66, kSubBlock = 256;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<4>(-1);
    static constexpr auto kFields = std::to_array<BlockField>({{"qs", 0, 64, 1}, {"d", 64, 2, 2}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 64); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        for (std::size_t i = 0; i < kBlockSize; ++i) {
            out.codes[i] = byteAt(block, i / 128 * 32 + i % 32) >> (i % 128 / 32 * 2) & 3U;
        }
    }
};

// 2^(e − 127) × E2M1
struct MXFP4 {
    static constexpr TensorType kType = TensorType::MXFP4;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 17, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kFp4Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"e", 0, 1, 1}, {"qs", 1, 16, 1}});
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = halfScaleFromE8m0(byteAt(block, 0));
        unpackNibbles(block + 1, 16, out.codes.data());
    }
};

// UE4M3 × E2M1, with one scale per 16 weights
struct NVFP4 {
    static constexpr TensorType kType = TensorType::NVFP4;
    static constexpr std::size_t kBlockSize = 64, kBlockBytes = 36, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = kFp4Levels;
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 4, 1}, {"qs", 4, 32, 1}});
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        for (std::size_t s = 0; s < 4; ++s) {
            out.scales[s] = halfScaleFromUe4m3(byteAt(block, s));
            unpackNibbles(block + 4 + 8 * s, 8, out.codes.data() + 16 * s);
        }
    }
};

// --- the quantised types of files from before GGUF, as they were before version 3 of GGJT. Compared with the types
// of the same names today, scales are f32 where a field has 4 bytes, and byte j of version 1 holds the neighbouring
// weights 2j and 2j + 1. The layouts come from ggml.c of April and May 2023.

inline float floatAt(const std::byte* block, std::size_t offset) { return load<float>(block + offset); }

// Unpacks weights 2i and 2i + 1 from the low and the high nibble of byte i of n bytes.
inline void unpackNibblePairs(const std::byte* from, std::size_t n, Byte* codes) {
    for (std::size_t i = 0; i < n; ++i) {
        codes[2 * i] = lowNibble(from, i);
        codes[2 * i + 1] = highNibble(from, i);
    }
}

// d × (q − 8)
struct Q4_2 {
    static constexpr TensorType kType = TensorType::Q4_2;
    static constexpr std::size_t kBlockSize = 16, kBlockBytes = 10, kSubBlock = 16;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<16>(-8);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"qs", 2, 8, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibblePairs(block + 2, 8, out.codes.data());
    }
};

// d × q + m
struct Q4_3 {
    static constexpr TensorType kType = TensorType::Q4_3;
    static constexpr std::size_t kBlockSize = 16, kBlockBytes = 12, kSubBlock = 16;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<16>(0);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 2, 2}, {"m", 2, 2, 2}, {"qs", 4, 8, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = halfAt(block, 0);
        out.minima[0] = -halfAt(block, 2);
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibblePairs(block + 4, 8, out.codes.data());
    }
};

// d × (q − 8)
struct Q4_0_GGJT1 {
    static constexpr TensorType kType = TensorType::Q4_0_GGJT1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 20, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<16>(-8);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 4, 4}, {"qs", 4, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = floatAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibblePairs(block + 4, 16, out.codes.data());
    }
};

// d × q + m
struct Q4_1_GGJT1 {
    static constexpr TensorType kType = TensorType::Q4_1_GGJT1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 24, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<16>(0);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 4, 4}, {"m", 4, 4, 4}, {"qs", 8, 16, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = floatAt(block, 0);
        out.minima[0] = -floatAt(block, 4);
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibblePairs(block + 8, 16, out.codes.data());
    }
};

// d × (q − 16)
struct Q5_0_GGJT1 {
    static constexpr TensorType kType = TensorType::Q5_0_GGJT1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 22, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<32>(-16);
    static constexpr auto kFields = Q5_0::kFields;
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = halfAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibblePairs(block + 6, 16, out.codes.data());
        addFifthBits(block + 2, out.codes.data());
    }
};

// d × q + m
struct Q5_1_GGJT1 {
    static constexpr TensorType kType = TensorType::Q5_1_GGJT1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 24, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<32>(0);
    static constexpr auto kFields = Q5_1::kFields;
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = halfAt(block, 0);
        out.minima[0] = -halfAt(block, 2);
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibblePairs(block + 8, 16, out.codes.data());
        addFifthBits(block + 4, out.codes.data());
    }
};

// d × q
struct Q8_0_GGJT1 {
    static constexpr TensorType kType = TensorType::Q8_0_GGJT1;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 36, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<256>(-128);
    static constexpr auto kFields = std::to_array<BlockField>({{"d", 0, 4, 4}, {"qs", 4, 32, 1}});
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = floatAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackSignedBytes(block + 4, 32, out.codes.data());
    }
};

// d × (q − 8)
struct Q4_0_GGJT2 {
    static constexpr TensorType kType = TensorType::Q4_0_GGJT2;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 20, kSubBlock = 32;
    static constexpr bool kHasMinima = false;
    static constexpr auto kLevels = linearLevels<16>(-8);
    static constexpr auto kFields = Q4_0_GGJT1::kFields;
    static void unpackScales(const std::byte* block, UnpackedBlock& out) { out.scales[0] = floatAt(block, 0); }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 4, 16, out.codes.data());
    }
};

// d × q + m
struct Q4_1_GGJT2 {
    static constexpr TensorType kType = TensorType::Q4_1_GGJT2;
    static constexpr std::size_t kBlockSize = 32, kBlockBytes = 24, kSubBlock = 32;
    static constexpr bool kHasMinima = true;
    static constexpr auto kLevels = linearLevels<16>(0);
    static constexpr auto kFields = Q4_1_GGJT1::kFields;
    static void unpackScales(const std::byte* block, UnpackedBlock& out) {
        out.scales[0] = floatAt(block, 0);
        out.minima[0] = -floatAt(block, 4);
    }
    static void unpack(const std::byte* block, UnpackedBlock& out) {
        unpackScales(block, out);
        unpackNibbles(block + 8, 16, out.codes.data());
    }
};

} // namespace gufo::scalar
