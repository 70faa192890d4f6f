// Attention over keys and values in their encoded form: each row is read and widened once for several queries.
#pragma once

#include <array>
#include <cstddef>

namespace gufo {

// What will be read after all the rows, and is not so urgent: kernels fetch some of it while they compute, and move
// `at` on.
struct Later {
    const std::byte* at = nullptr;
    const std::byte* end = nullptr;
};

// Rows one after another, of which the first `length` elements count. Types: F32, F16, BF16, Q8_0 (whose last group is
// there as a whole).
struct CachedRows {
    const std::byte* data = nullptr;
    std::size_t rowBytes = 0;
    std::size_t length = 0;
    const std::byte* next = nullptr; // what will be read after them, to be fetched meanwhile; null: none
    Later* later = nullptr;          // null: nothing
};

// Rows turned over, kTileRows of them in each tile, so that one element of all of them stands together: element j of
// row r at index j × kTileRows + r. Of Q8_0 the groups of a row's 32 elements stand one after another; each begins with
// the scales of all rows, then come four codes of each row, the next four, … The last tile is there as a whole.
inline constexpr std::uint32_t kTileRows = 16;
struct CachedTiles {
    const std::byte* data = nullptr;
    std::size_t bytes = 0; // of a tile
    std::size_t length = 0;
    const std::byte* next = nullptr; // these as with CachedRows
    Later* later = nullptr;
};

// With Q8_0 and F16 queries and weights may be rounded to 16 bits, numbers of F16 likewise: a hundredth of what the
// codes have lost, or half of what F16 has.
struct AttentionKernels {
    // scores[q × stride + i] = query q · row i for `count` rows and `queryCount` queries of `length` floats, one after
    // another.
    using Score = void (*)(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                           float* scores, std::size_t stride);
    // The same for `count` rows of tiles from row `first` on, below kTileRows.
    using ScoreTiles = void (*)(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                                std::size_t queryCount, float* scores, std::size_t stride);
    // sums[q × length + j] += weights[q × stride + i] × row i [j], row by row in their order.
    using Gather = void (*)(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                            std::size_t queryCount, float* sums);
    struct OfType {
        Score score = nullptr; // null: not for this type
        ScoreTiles scoreTiles = nullptr;
        Gather gather = nullptr;
    };
    std::array<OfType, 64> types{}; // by type id

    float (*largest)(const float* values, std::size_t count) = nullptr; // count > 0, no NaN
    // values[i] = e^(values[i] − largest), 0 below e^−87; their sum. None is above `largest`.
    float (*exponentials)(float* values, std::size_t count, float largest) = nullptr;
};

} // namespace gufo
