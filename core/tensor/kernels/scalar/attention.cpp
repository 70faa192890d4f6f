// The attention kernels that specify the others, element by element.
#include "base/byte_order.h"
#include "tensor/float_formats.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/codes16.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gufo::scalar {
namespace {

using ElementOf = float (*)(const std::byte* row, std::size_t j);
using ElementOfTile = float (*)(const std::byte* tile, std::size_t row, std::size_t j);

float elementF32(const std::byte* row, std::size_t j) { return load<float>(row + 4 * j); }
float elementF16(const std::byte* row, std::size_t j) {
    return scaleOfCodes(row + j / kBlock16 * kBlock16 * 2) * static_cast<float>(load<std::int16_t>(row + 2 * j));
}
float elementBF16(const std::byte* row, std::size_t j) { return floatFromBrain(load<std::uint16_t>(row + 2 * j)); }
float elementQ8_0(const std::byte* row, std::size_t j) { // a group is a half and 32 codes
    const std::byte* group = row + j / 32 * 34;
    return floatFromHalf(load<std::uint16_t>(group)) * static_cast<float>(static_cast<std::int8_t>(group[2 + j % 32]));
}

// A group of Q4_0, Q4_1, Q5_0 or Q5_1 is a half, the scale; for Q4_1 and Q5_1 another half, the minimum; for Q5_0 and
// Q5_1 the highest bits of 32 codes; and 16 bytes with the other four bits of the codes 0 … 15 (low) and 16 … 31
// (high).
template<bool fiveBits, bool hasMinimum>
float elementOfNibbles(const std::byte* row, std::size_t j) {
    constexpr std::size_t kHalves = hasMinimum ? 4 : 2;
    constexpr std::size_t kCodes = kHalves + (fiveBits ? 4 : 0);
    const std::byte* group = row + j / 32 * (kCodes + 16);
    const std::size_t at = j % 32;
    const auto byte = std::to_integer<unsigned>(group[kCodes + at % 16]);
    unsigned code = at < 16 ? byte & 15U : byte >> 4U;
    if constexpr (fiveBits) {
        code |= (load<std::uint32_t>(group + kHalves) >> at & 1U) << 4U;
    }
    const float scale = floatFromHalf(load<std::uint16_t>(group));
    if constexpr (hasMinimum) {
        return scale * static_cast<float>(code) + floatFromHalf(load<std::uint16_t>(group + 2));
    }
    return scale * (static_cast<float>(code) - (fiveBits ? 16 : 8));
}

// A tile of numbers is one long row.
template<ElementOf element>
float elementOfTile(const std::byte* tile, std::size_t row, std::size_t j) {
    return element(tile, j * kTileRows + row);
}
float elementOfTileF16(const std::byte* tile, std::size_t row, std::size_t j) {
    const auto codeAt = [&](std::size_t at) { return tile + (at / 2 * kTileRows + row) * 4 + at % 2 * 2; };
    std::byte first[2 * kScaleCodes];
    for (std::size_t i = 0; i < kScaleCodes; ++i) {
        std::memcpy(first + 2 * i, codeAt(j / kBlock16 * kBlock16 + i), 2);
    }
    return scaleOfCodes(first) * static_cast<float>(load<std::int16_t>(codeAt(j)));
}
float elementOfTileQ8_0(const std::byte* tile, std::size_t row, std::size_t j) {
    const std::byte* group = tile + j / 32 * 34 * kTileRows;
    const std::byte code = group[kTileRows * (2 + j % 32 / 4 * 4) + row * 4 + j % 4];
    return floatFromHalf(load<std::uint16_t>(group + 2 * row)) * static_cast<float>(static_cast<std::int8_t>(code));
}

template<ElementOf element>
void score(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    for (std::size_t q = 0; q < queryCount; ++q) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::byte* row = rows.data + i * rows.rowBytes;
            double sum = 0;
            for (std::size_t j = 0; j < rows.length; ++j) {
                sum += static_cast<double>(element(row, j)) * static_cast<double>(queries[q * rows.length + j]);
            }
            scores[q * stride + i] = static_cast<float>(sum);
        }
    }
}

template<ElementOfTile element>
void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    for (std::size_t q = 0; q < queryCount; ++q) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::byte* tile = tiles.data + (first + i) / kTileRows * tiles.bytes;
            double sum = 0;
            for (std::size_t j = 0; j < tiles.length; ++j) {
                sum += static_cast<double>(element(tile, (first + i) % kTileRows, j)) *
                       static_cast<double>(queries[q * tiles.length + j]);
            }
            scores[q * stride + i] = static_cast<float>(sum);
        }
    }
}

template<ElementOf element>
void scoreRowsOfTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                      std::size_t queryCount, float* scores, std::size_t stride) {
    score<element>(tiles.rowsFrom(first), count, queries, queryCount, scores, stride);
}

template<ElementOf element>
void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    for (std::size_t q = 0; q < queryCount; ++q) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::byte* row = rows.data + i * rows.rowBytes;
            for (std::size_t j = 0; j < rows.length; ++j) {
                sums[q * rows.length + j] += weights[q * stride + i] * element(row, j);
            }
        }
    }
}

float largest(const float* values, std::size_t count) { return *std::max_element(values, values + count); }

float exponentials(float* values, std::size_t count, float maximum) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = values[i] - maximum;
        values[i] = x > -87 ? std::exp(x) : 0;
        sum += static_cast<double>(values[i]);
    }
    return static_cast<float>(sum);
}

} // namespace

void installAttention(AttentionKernels& kernels) {
    const auto set = [&](TensorType type, const AttentionKernels::OfType& functions) {
        kernels.types[type] = functions;
    };
    set(TensorType::F32, {score<elementF32>, scoreTiles<elementOfTile<elementF32>>, gather<elementF32>});
    set(TensorType::F16, {score<elementF16>, scoreTiles<elementOfTileF16>, gather<elementF16>});
    set(TensorType::BF16, {score<elementBF16>, scoreTiles<elementOfTile<elementBF16>>, gather<elementBF16>});
    set(TensorType::Q8_0, {score<elementQ8_0>, scoreTiles<elementOfTileQ8_0>, gather<elementQ8_0>});
    const auto setNibbles = [&]<bool fiveBits, bool hasMinimum>(TensorType type) {
        constexpr ElementOf element = elementOfNibbles<fiveBits, hasMinimum>;
        set(type, {score<element>, scoreRowsOfTiles<element>, gather<element>});
    };
    setNibbles.operator()<false, false>(TensorType::Q4_0);
    setNibbles.operator()<false, true>(TensorType::Q4_1);
    setNibbles.operator()<true, false>(TensorType::Q5_0);
    setNibbles.operator()<true, true>(TensorType::Q5_1);
    kernels.largest = largest;
    kernels.exponentials = exponentials;
}

} // namespace gufo::scalar
