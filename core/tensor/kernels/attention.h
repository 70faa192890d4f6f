// Attention over encoded keys and values. Each row is read and converted once for several queries.
#pragma once

#include "tensor/tensor_type.h"
#include "tensor/tensor_type_table.h"

#include <cstddef>
#include <cstdint>

namespace gufo {

// Memory that will be read after all the rows, such as the weights of the next product. Kernels prefetch some of it
// while they compute, at low priority, and advance `at`; kernels that are limited by memory do not.
struct PrefetchRange {
    const std::byte* at = nullptr;
    const std::byte* end = nullptr;
};

// F16 is stored as 16-bit integers, which processors multiply twice as fast as floats, and without converting them
// first. An element is a code times the scale, a power of two, of its block of kBlock16 elements. Codes are at most
// kLargestCode16, and the largest of a block is about half of that or more. The lowest two bits of each of the first
// four codes of a block hold the exponent (portable/codes16.h), so that a row takes no more memory than halves do;
// these codes are the closest ones with such bits. The last block is padded to an even number of codes, and to four,
// with codes that have no meaning beyond those bits. Normally distributed elements have about half the errors of half
// precision (root mean square); elements that are much smaller than the largest of their block lose more than with
// halves. If an element is NaN or infinite, all elements of its block become NaN; a block becomes zeros if all its
// elements are below 2^-113.
inline constexpr std::size_t kBlock16 = 64;
inline constexpr std::int32_t kLargestCode16 = 1 << 14;
// The number of codes of a row of `length` elements, with its padding.
[[nodiscard, gnu::always_inline]] constexpr std::size_t codesOfRow16(std::size_t length) {
    const std::size_t rest = length % kBlock16;
    return length - rest + (rest == 0 ? 0 : rest < 4 ? 4 : (rest + 1) / 2 * 2);
}

// Consecutive rows. The first `length` elements of each are used. Types: F32, F16, BF16, and Q8_0, Q5_1, Q5_0, Q4_1 and
// Q4_0 (whose last group is complete).
struct CachedRows {
    const std::byte* data = nullptr;
    std::size_t rowBytes = 0;
    std::size_t length = 0;
    const std::byte* next = nullptr;   // what will be read after these rows and should be prefetched; may be null
    PrefetchRange* upcoming = nullptr; // may be null
};

// Transposed rows, kTileRows in each tile, so that the same element of all rows is contiguous. Element j of row r has
// the index j × kTileRows + r, unless elements are stored in groups. The last tile is complete. With kTileRows = 16:
//
//   F32, BF16     r0[0] r1[0] … r15[0]   r0[1] r1[1] … r15[1]   r0[2] …
//   F16           two codes of each row at a time: r0[0…1] r1[0…1] … r15[0…1]   r0[2…3] …
//   Q8_0          for each group of 32 elements: the 16 scales of r0 … r15, then four codes of each row at a time:
//                 r0[0…3] r1[0…3] … r15[0…3]   r0[4…7] r1[4…7] …
//   Q5_1 … Q4_0   the rows one after another, not transposed: unpacking codes of 4 or 5 bits costs more than the
//                 horizontal sums that transposing saves
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

    // Of a type whose tiles hold rows: the rows from `first` on.
    [[nodiscard, gnu::always_inline]] CachedRows rowsFrom(std::size_t first) const {
        const std::size_t rowBytes = bytes / kTileRows;
        return {data + first * rowBytes, rowBytes, length, next, upcoming};
    }
};

// With Q8_0 and F16, kernels may round queries and weights to 16 bits, unless there are few rows. That error is a
// hundredth of the error of Q8_0's codes, or about the error of half precision.
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
