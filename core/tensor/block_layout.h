// The layout of the blocks of a quantised type. One row per type (block_layout.cpp) drives everything that looks into
// blocks: byte order, the explanation of a weight, scales and codes.
#pragma once

#include "tensor/block_fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace gufo {

inline constexpr std::size_t kMaxBlockSize = 256;
inline constexpr std::size_t kMaxBlockBytes = 512;
inline constexpr std::size_t kMaxRowHeader = 32; // bytes

// An unpacked block: weight i is levels[codes[i]] × scales[i / subBlock] − minima[i / subBlock].
struct UnpackedBlock {
    std::array<std::uint8_t, kMaxBlockSize> codes;
    std::array<float, 16> scales;
    std::array<float, 16> minima; // only set for types with minima
};

// A range that contains the weights of some blocks.
struct WeightBounds {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
    float check = 0; // NaN if a scale, or what limits the scales, is not finite; the bounds are then not valid
};

struct BlockLayout {
    std::uint32_t typeId;
    std::uint32_t subBlock; // number of weights that share a scale
    bool hasMinima;
    std::span<const std::int8_t> levels; // indexed by code; its size is codeCount()
    std::span<const BlockField> fields;
    std::span<const BlockField> headerFields; // of the row header; empty if the type has none
    // Both are little-endian. Types without a row header ignore `header`.
    void (*unpack)(const std::byte* header, const std::byte* block, UnpackedBlock& out);
    // The bounds of `count` consecutive little-endian blocks, without unpacking their codes. They are wider than
    // necessary only if the blocks do not use the outermost codes, and by rounding. Null for types that have no such
    // shortcut, among them all with a row header.
    WeightBounds (*bounds)(const std::byte* blocks, std::size_t count);
    // Wider bounds that are found without unpacking scales, for blocks of the row that begins with `header`. Null for
    // types that do not define scaleBound() (kernels/scalar).
    WeightBounds (*looseBounds)(const std::byte* header, const std::byte* blocks, std::size_t count);
};

// Swaps the byte order of each field of a block or a row header, from `in` to `out`.
void swapFields(std::span<const BlockField> fields, const std::byte* in, std::byte* out);

// Null for types that are not quantised or not decodable.
[[nodiscard]] const BlockLayout* findBlockLayout(std::uint32_t typeId);

} // namespace gufo
