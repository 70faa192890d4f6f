// Attention over encoded keys and values. Each row is read and converted once for several queries.
#pragma once

#include "tensor/tensor_type.h"
#include "tensor/tensor_type_table.h"

#include <cstddef>

namespace gufo {

// Memory that will be read after all the rows, such as the weights of the next product. Kernels prefetch some of it
// while they compute, at low priority, and advance `at`.
struct PrefetchRange {
    const std::byte* at = nullptr;
    const std::byte* end = nullptr;
};

// Consecutive rows, of which the first `length` elements are used. Types: F32, F16, BF16, and Q8_0, Q5_1, Q5_0, Q4_1
// and Q4_0 (whose last group is complete).
struct CachedRows {
    const std::byte* data = nullptr;
    std::size_t rowBytes = 0;
    std::size_t length = 0;
    const std::byte* next = nullptr;   // what will be read after these rows and should be prefetched; may be null
    PrefetchRange* upcoming = nullptr; // may be null
    // The number of queries that need these rows, in other calls too; 0: only those of this call. Kernels may round for
    // many queries what they do not round for few. A number that does not depend on how the queries are divided among
    // calls makes the results independent of it.
    std::size_t allQueries = 0;
};

// Transposed rows, kTileRows in each tile, so that the same element of all rows is contiguous. Element j of row r has
// the index j × kTileRows + r. The last tile is complete. With kTileRows = 16:
//
//   numbers   r0[0] r1[0] … r15[0]   r0[1] r1[1] … r15[1]   r0[2] …
//   Q8_0      for each group of 32 elements: the 16 scales of r0 … r15, then four codes of each row at a time:
//             r0[0…3] r1[0…3] … r15[0…3]   r0[4…7] r1[4…7] …
//   Q5_1 … Q4_0   the rows one after another, not transposed: unpacking codes of 4 or 5 bits costs more than the
//             horizontal sums that transposing saves
inline constexpr std::uint32_t kTileRows = 16;
[[nodiscard]] constexpr bool tilesHoldRows(TensorType type) {
    return type == TensorType::Q5_1 || type == TensorType::Q5_0 || type == TensorType::Q4_1 || type == TensorType::Q4_0;
}
struct CachedTiles {
    const std::byte* data = nullptr;
    std::size_t bytes = 0; // bytes of a tile
    std::size_t length = 0;
    const std::byte* next = nullptr; // this and the rest as in CachedRows
    PrefetchRange* upcoming = nullptr;
    std::size_t allQueries = 0;

    // Of a type whose tiles hold rows: the rows from `first` on.
    [[nodiscard, gnu::always_inline]] CachedRows rowsFrom(std::size_t first) const {
        const std::size_t rowBytes = bytes / kTileRows;
        return {data + first * rowBytes, rowBytes, length, next, upcoming, allQueries};
    }
};

// With Q8_0 and F16, kernels may round queries and weights to 16 bits, and with F16 also the rows. That error is a
// hundredth of what the codes of Q8_0 have lost, or half of the precision of F16.
struct AttentionKernels {
    // scores[q × stride + i] = query q · row i, for `count` rows and `queryCount` contiguous queries of `length`
    // floats.
    using Score = void (*)(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                           float* scores, std::size_t stride);
    // The same for `count` rows of tiles beginning with row `first`, which is less than kTileRows.
    using ScoreTiles = void (*)(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                                std::size_t queryCount, float* scores, std::size_t stride);
    // sums[q × length + j] += weights[q × stride + i] × row i [j], in the order of the rows.
    using Gather = void (*)(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                            std::size_t queryCount, float* sums);
    struct OfType {
        Score score = nullptr; // null: the type is not supported
        ScoreTiles scoreTiles = nullptr;
        Gather gather = nullptr;
    };
    TensorTypeTable<OfType> types;

    float (*largest)(const float* values, std::size_t count) = nullptr; // count > 0, without NaN
    // values[i] = e^(values[i] − largest), or 0 below e^−87. Returns their sum. `largest` is the largest value.
    float (*exponentials)(float* values, std::size_t count, float largest) = nullptr;
};

} // namespace gufo
