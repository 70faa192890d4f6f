// Unpacks the quantised types of files from before GGUF, as they were before version 3 of GGJT. Compared with the types
// of the same names today, scales are f32 where a field has 4 bytes, and byte j of version 1 holds the neighbouring
// weights 2j and 2j + 1. The layouts come from ggml.c of April and May 2023.
#pragma once

#include "tensor/kernels/scalar/simple_blocks.h"

namespace gufo::scalar {

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
