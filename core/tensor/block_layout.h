// What a block of a quantised type consists of. One row per type (block_layout.cpp) drives everything that looks into
// blocks: the scalar decoders, byte order, the explanation of a weight, scales and codes.
#pragma once

#include "tensor/block_fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gufo {

inline constexpr std::size_t kMaxBlockSize = 256;

// A block taken apart: weight i is levels[codes[i]] × scales[i / subBlock] − minima[i / subBlock].
struct UnpackedBlock {
    std::array<std::uint8_t, kMaxBlockSize> codes;
    std::array<float, 16> scales;
    std::array<float, 16> minima; // written by types with minima only
};

struct BlockLayout {
    std::uint32_t typeId;
    std::uint32_t subBlock; // weights that share a scale
    bool hasMinima;
    std::span<const std::int8_t> levels; // by code; their number is codeCount()
    std::span<const BlockField> fields;
    void (*unpack)(const std::byte* block, UnpackedBlock& out); // little-endian
};

// Null for types that are not quantised or not decodable.
[[nodiscard]] const BlockLayout* findBlockLayout(std::uint32_t typeId);

} // namespace gufo
