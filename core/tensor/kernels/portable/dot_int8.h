// Products of rows of encoded weights with one 8-bit vector, based on the types (int8_types.h) and the primitives of an
// instruction set whose sums of a block are a vector.
#pragma once

#include "tensor/kernels/portable/int8_types.h"
#include "tensor/kernels/portable/prefetch_ahead.h"
#include "tensor/kernels/products.h"

namespace {

constexpr std::size_t kTogether = kChecked ? 1 : 4; // rows processed together
static_assert(gufo::kStreams % kTogether == 0);

inline float sumOfLanes(F32x8 v) {
    v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
    return v[0] + v[1];
}

// The elements of sixteen numbers with even and with odd indices.
inline F32x8 evens(F32x8 a, F32x8 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14); }
inline F32x8 odds(F32x8 a, F32x8 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15); }

struct RowTotals {
    Total blocks{};
    F32x8 minima{};
};

// The extents of a run: how many of its eight or sixteen parts belong to the row. kept() clears the scales of the other
// parts. In a damaged file these may be NaN or infinite, and then activations of 0 alone would not keep them out of the
// sums.
struct Whole {
    static F32x8 kept(F32x8 ofParts, std::size_t /*first*/) { return ofParts; }
};
struct First {
    std::size_t parts;
    // `first` is the index of the first of the eight parts.
    [[nodiscard]] F32x8 kept(F32x8 ofParts, std::size_t first) const {
        const auto left = static_cast<std::int32_t>(parts > first ? parts - first : 0);
        const I32x8 inRow = I32x8{0, 1, 2, 3, 4, 5, 6, 7} < left;
        return reinterpret_cast<F32x8>(reinterpret_cast<I32x8>(ofParts) & inRow);
    }
};

// Adds the products of one run of several rows, which share the loads from x.
template<typename Type, typename Extent, std::size_t... s>
[[gnu::always_inline]] inline void addRuns(const std::byte* const* at, const Extent& extent, const gufo::Int8Run& x,
                                           RowTotals* totals, std::index_sequence<s...> /*rows*/) {
    constexpr std::size_t kRows = sizeof...(s);
    const Type runs[kRows]{Type(at[s])...};
    alignas(64) float factors[kRows][16];
    const F32x8 scales[2]{get<F32x8>(x.scales), get<F32x8>(x.scales + 8)};
    const F32x8 sums[2]{get<F32x8>(x.sums), get<F32x8>(x.sums + 8)};
    if constexpr (Type::kPer16) {
        for (std::size_t half_ = 0; half_ < 2; ++half_) {
            (store8(factors[s] + 8 * half_, extent.kept(runs[s].scales(half_), 8 * half_) * scales[half_]), ...);
            if constexpr (Type::kMinima) {
                ((totals[s].minima =
                      multiplyAdd(extent.kept(runs[s].minima(half_), 8 * half_), sums[half_], totals[s].minima)),
                 ...);
            }
        }
    } else {
        const F32x8 activationScales = evens(scales[0], scales[1]);
        (store8(factors[s], extent.kept(runs[s].scales(0), 0) * activationScales), ...);
        if constexpr (Type::kMinima) {
            const F32x8 both = evens(sums[0], sums[1]) + odds(sums[0], sums[1]);
            ((totals[s].minima = multiplyAdd(extent.kept(runs[s].minima(0), 0), both, totals[s].minima)), ...);
        }
    }
    putInMemory(factors);
#pragma GCC unroll kChecked ? 1 : 8
    for (std::size_t block = 0; block < 8; ++block) {
        const auto activations = blockOf<Type>(x.values + 32 * block);
        (addBlock<Type>(totals[s].blocks, runs[s].codes(block), activations,
                        factors[s] + (Type::kPer16 ? 2 * block : block)),
         ...);
    }
}

// Multiplies `rowCount` rows that are `rowStride` bytes apart; up to `end`, later rows may be read. The results are
// stored `stride` floats apart.
template<typename Type, std::size_t rowCount>
inline void dotTogether(const std::byte* first, std::size_t rowStride, const std::byte* end,
                        const gufo::EncodedRows& rows, const gufo::Int8Row& x, float* y, std::size_t stride) {
    constexpr auto kRows = std::make_index_sequence<rowCount>();
    const std::size_t runs = rows.columns / gufo::kRunWeights;
    const std::size_t rest = rows.rowBytes - runs * Type::kRunBytes;
    RowTotals totals[rowCount];
    const std::byte* at[rowCount];
    for (std::size_t s = 0; s < rowCount; ++s) {
        at[s] = first + s * rowStride;
    }
    for (std::size_t run = 0; run < runs; ++run) {
        addRuns<Type>(at, Whole{}, x.runs[run], totals, kRows);
        for (std::size_t s = 0; s < rowCount; ++s) {
            prefetchAhead<Type::kRunBytes>(at[s]);
            at[s] += Type::kRunBytes;
        }
    }
    if (rest != 0) {
        const First parts{rows.columns % gufo::kRunWeights / (Type::kPer16 ? 16 : 32)};
        const auto add = [&] { addRuns<Type>(at, parts, x.runs[runs], totals, kRows); };
        if (end - at[rowCount - 1] >= static_cast<std::ptrdiff_t>(Type::kRunBytes)) { // the runs end within later rows
            for (std::size_t s = 0; s < rowCount; ++s) {
                prefetchAhead<Type::kRunBytes>(at[s]);
            }
            add();
        } else {
            std::byte filled[rowCount][Type::kRunBytes]{};
            for (std::size_t s = 0; s < rowCount; ++s) {
                std::memcpy(filled[s], at[s], rest);
                at[s] = filled[s];
            }
            add();
        }
    }
    for (std::size_t s = 0; s < rowCount; ++s) {
        y[s * stride] = sumOfLanes(totals[s].blocks);
        if constexpr (Type::kMinima) {
            y[s * stride] -= sumOfLanes(totals[s].minima);
        }
    }
}

// Multiplies rows of four streams, one row of each at a time, with one vector after the other.
template<typename Type>
void dotStreams(const gufo::EncodedRows& rows, std::size_t count, std::size_t streamStride, const gufo::Int8Rows& x,
                float* y, std::size_t stride) {
    const std::byte* end = rows.data + ((gufo::kStreams - 1) * streamStride + count) * rows.rowBytes;
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t s = 0; s < gufo::kStreams; s += kTogether) {
            const std::size_t row = s * streamStride + r;
            for (std::size_t t = 0; t < x.count; ++t) {
                dotTogether<Type, kTogether>(rows.data + row * rows.rowBytes, streamStride * rows.rowBytes, end, rows,
                                             x[t], y + t * stride + row, streamStride);
            }
        }
    }
}

template<typename Type>
void dotRows(const gufo::EncodedRows& rows, std::size_t count, const gufo::Int8Row& x, float* y) {
    const std::byte* end = rows.data + count * rows.rowBytes;
    std::size_t r = 0;
    for (; r + kTogether <= count; r += kTogether) {
        dotTogether<Type, kTogether>(rows.data + r * rows.rowBytes, rows.rowBytes, end, rows, x, y + r, 1);
    }
    for (; r < count; ++r) {
        dotTogether<Type, 1>(rows.data + r * rows.rowBytes, 0, end, rows, x, y + r, 1);
    }
}

template<typename Type>
using ForVectors = Type;
constexpr std::size_t kFew = 1;

} // namespace
