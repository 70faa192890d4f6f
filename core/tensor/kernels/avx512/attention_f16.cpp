// Attention over F16, computed as sums down columns (column_sums.h). In a tile of keys, a column is a position and runs
// down the elements; in rows of values, it is an element and runs down the positions. The factors are those of a query,
// or weights. These loops are limited by memory, so they prefetch only what they read themselves and nothing of the
// upcoming range.
#include "tensor/kernels/avx512/column_sums.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

namespace gufo::avx512 {
namespace {

constexpr std::size_t kMinQueries = 5; // the fewest queries for which converting to integers is worthwhile
constexpr std::size_t kElements = 512; // elements of keys that are multiplied at a time, a multiple of kDepth
constexpr std::size_t kRows = 256;     // rows of values, likewise
constexpr std::size_t kBytes = 2;      // bytes of a number

// The float kernels, for fewer queries.
AttentionKernels::OfType floatKernels;

// The blocks of `length` elements of pairs of tiles, pair after pair.
struct TileBlocks {
    static constexpr std::size_t kStep = kBytes * kTileRows;

    const std::byte* data;
    std::size_t tileBytes;
    std::size_t tiles;
    std::size_t length; // even

    [[nodiscard]] Columns at(std::size_t tile, std::size_t j) const {
        const std::byte* const first = data + tile * tileBytes + j * kStep;
        const std::byte* const second = tile + 1 < tiles ? first + tileBytes : first; // missing: repeat the first
        return {.vectors = {first, second}, .step = kStep, .count = smaller(length - j, kDepth)};
    }
    [[nodiscard]] Columns after(std::size_t tile, std::size_t j) const { // the last block follows itself
        return j + kDepth < length ? at(tile, j + kDepth) : tile + 2 < tiles ? at(tile + 2, 0) : at(tile, j);
    }
};

// Adds the products of a block of columns with several groups of queries, whose factors are `apart` places apart, and
// stores how to round the next block. take(first, q, k, sums, unit) gets the sums of query first + q.
template<typename Probe, typename Between, typename Take>
GUFO_INLINE inline void sumBlock(const Columns& columns, const Rounding& rounding, const Factors* factors,
                                 std::size_t apart, std::size_t groups, Probe& probe, Rounding& next,
                                 const Between& between, const Take& take) {
    const auto takeOf = [&](std::size_t group) GUFO_INLINE {
        return [&, group](std::size_t q, std::size_t k, __m512 sum, __m512 unit)
                   GUFO_INLINE { take(group * kQueries, q, k, sum, unit); };
    };
    if (groups == 1) {
        IntegerSums sums;
        convertColumns(columns, rounding, probe, next, between,
                       [&](std::size_t pair, __m512i x, __m512i y) GUFO_INLINE { sums.add(*factors, pair, x, y); });
        sums.giveTo(takeOf(0), rounding, *factors);
        return;
    }
    Converted converted;
    convertColumns(columns, rounding, probe, next, between, [&](std::size_t pair, __m512i x, __m512i y) GUFO_INLINE {
        converted.pairs[pair][0] = x;
        converted.pairs[pair][1] = y;
    });
    for (std::size_t group = 0; group < groups; ++group) {
        converted.sum(columns.count, rounding, factors[group * apart], takeOf(group));
    }
}

bool areFinite(const Factors* factors, std::size_t apart, std::size_t groups) {
    bool finite = true;
    for (std::size_t group = 0; group < groups; ++group) {
        finite = finite && factors[group * apart].finite;
    }
    return finite;
}

constexpr std::size_t kMaxQueries = kGroups * kQueries;
constexpr std::size_t kMaxFactors = 64; // blocks of kQueries queries, which are on the stack of each thread
static_assert(kRows / kDepth * kGroups <= kMaxFactors);

// Computes the scores over the elements [begin, begin + kElements), of as many queries as kMaxFactors allows. The first
// call (begin = 0) sets the scores, later ones add to them.
void scoreElements(const CachedTiles& tiles, std::size_t firstRow, std::size_t rows, std::size_t begin,
                   const float* queries, std::size_t queryCount, float* scores, std::size_t stride) {
    const std::size_t length = smaller(tiles.length - begin, kElements);
    const std::size_t even = length / 2 * 2;
    const std::size_t groups = (queryCount + kQueries - 1) / kQueries;
    const std::size_t blockCount = (even + kDepth - 1) / kDepth;
    Factors factors[kMaxFactors];
    for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t q = group * kQueries;
        roundAll(queries + begin + q * tiles.length, tiles.length, smaller(kQueries, queryCount - q), even,
                 factors + group * blockCount);
    }
    const std::size_t end = firstRow + rows;
    const TileBlocks blocks{tiles.data + begin * TileBlocks::kStep, tiles.bytes, (end + kTileRows - 1) / kTileRows,
                            even};
    const PrefetchWindow window{tiles.data, blocks.tiles * tiles.bytes, tiles.next};
    Probe<true> probe(blocks.at(0, 0));
    probe.rest();
    Rounding rounding = probe.rounding();
    for (std::size_t tile = 0; tile < blocks.tiles; tile += 2) {
        const std::size_t row = tile * kTileRows;
        const bool whole = begin == 0 && queryCount % kQueries == 0 && row >= firstRow && row + kWidth <= end;
        float each[kMaxQueries * kWidth];
        float* const to = whole ? scores + row - firstRow : each;
        const std::size_t toStride = whole ? stride : kWidth;
        const std::byte* prefetchAt = window.addressFor(tile * tiles.bytes) + 2 * begin * TileBlocks::kStep;
        const auto prefetchNext = [&] GUFO_INLINE {
            prefetchFar(prefetchAt);
            prefetchFar(prefetchAt + kLine);
            prefetchAt += 2 * kLine;
        };
        bool added = false;
        const auto take = [&](std::size_t first, std::size_t q, std::size_t k, __m512 sum, __m512 unit) GUFO_INLINE {
            float* const place = to + (first + q) * toStride + k * kTileRows;
            const __m512 before = added ? _mm512_loadu_ps(place) : _mm512_setzero_ps();
            _mm512_storeu_ps(place, _mm512_fmadd_ps(sum, unit, before));
        };
        const auto takeFloats = [&](std::size_t q, std::size_t k, __m512 sum, __m512 unit)
                                    GUFO_INLINE { take(0, q, k, sum, unit); };
        for (std::size_t j = 0; j < even; j += kDepth) {
            const Factors* const blockFactors = factors + j / kDepth;
            const Columns columns = blocks.at(tile, j);
            Probe<true> after(blocks.after(tile, j));
            Rounding next;
            if (rounding.finite && areFinite(blockFactors, blockCount, groups)) [[likely]] {
                sumBlock(columns, rounding, blockFactors, blockCount, groups, after, next, prefetchNext, take);
            } else {
                sumFloats(columns, ~0U, queries + begin + j, tiles.length, queryCount, takeFloats);
                after.rest();
                next = after.rounding();
            }
            rounding = next;
            added = true;
        }
        if (even < length) {
            Columns last = blocks.at(tile, even);
            last.count = 1;
            sumFloats(last, ~0U, queries + begin + even, tiles.length, queryCount, takeFloats);
        }
        if (!whole) {
            const std::size_t from = row > firstRow ? row : firstRow;
            const std::size_t count = smaller(end, row + kWidth) - from;
            for (std::size_t q = 0; q < queryCount; ++q) {
                for (std::size_t i = 0; i < count; ++i) {
                    float& score = scores[q * stride + from - firstRow + i];
                    score = each[q * kWidth + from - row + i] + (begin == 0 ? 0 : score);
                }
            }
        }
    }
}

bool isWorthRounding(std::size_t allQueries, std::size_t queryCount) {
    return (allQueries != 0 ? allQueries : queryCount) >= kMinQueries;
}

void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    if (tiles.length < 2 || !isWorthRounding(tiles.allQueries, queryCount)) {
        floatKernels.scoreTiles(tiles, first, count, queries, queryCount, scores, stride);
        return;
    }
    const std::size_t blocks = (smaller(tiles.length, kElements) + kDepth - 1) / kDepth;
    const std::size_t atOnce = smaller(kMaxQueries, kMaxFactors / blocks * kQueries);
    for (std::size_t q = 0; q < queryCount; q += atOnce) {
        for (std::size_t begin = 0; begin < tiles.length; begin += kElements) {
            scoreElements(tiles, first, count, begin, queries + q * tiles.length, smaller(atOnce, queryCount - q),
                          scores + q * stride, stride);
        }
    }
}

// The blocks of rows: all groups of kWidth elements, then the next rows. The last group may overlap the one before it.
struct RowBlocks {
    const std::byte* data;
    std::size_t rowBytes;
    std::size_t length; // at least kWidth
    std::size_t rows;   // even

    [[nodiscard]] std::size_t column(std::size_t j) const { return smaller(j, length - kWidth); }
    [[nodiscard]] Columns at(std::size_t row, std::size_t j) const {
        const std::byte* const first = data + row * rowBytes + kBytes * column(j);
        return {
            .vectors = {first, first + kBytes * kWidth / 2}, .step = rowBytes, .count = smaller(rows - row, kDepth)};
    }
    [[nodiscard]] Columns after(std::size_t row, std::size_t j) const { // the last block follows itself
        return j + kWidth < length ? at(row, j + kWidth) : row + kDepth < rows ? at(row + kDepth, 0) : at(row, j);
    }
};

// Adds at most kRows rows to the sums of up to kMaxQueries queries.
void gatherRows(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                std::size_t queryCount, float* sums, const PrefetchWindow& window, std::size_t at) {
    const std::size_t length = rows.length;
    const std::size_t even = count / 2 * 2;
    float* to = sums;
    std::uint32_t mask = ~0U; // the columns that no other block adds to
    const auto take = [&](std::size_t first, std::size_t q, std::size_t k, __m512 sum, __m512 unit) GUFO_INLINE {
        float* const place = to + (first + q) * length + k * kWidth / 2;
        _mm512_storeu_ps(place, _mm512_fmadd_ps(sum, unit, _mm512_loadu_ps(place)));
    };
    const auto takeSome = [&](std::size_t first, std::size_t q, std::size_t k, __m512 sum, __m512 unit) GUFO_INLINE {
        if (first + q < queryCount) {
            float* const place = to + (first + q) * length + k * kWidth / 2;
            const auto lanes = static_cast<__mmask16>(mask >> (16 * k));
            _mm512_mask_storeu_ps(place, lanes, _mm512_fmadd_ps(sum, unit, _mm512_maskz_loadu_ps(lanes, place)));
        }
    };
    const auto takeFloats = [&](std::size_t q, std::size_t k, __m512 sum, __m512 unit)
                                GUFO_INLINE { takeSome(0, q, k, sum, unit); };
    const RowBlocks blocks{rows.data, rows.rowBytes, length, even};
    if (even != 0) {
        const std::size_t groups = (queryCount + kQueries - 1) / kQueries;
        const std::size_t blockCount = (even + kDepth - 1) / kDepth;
        Factors factors[kMaxFactors];
        for (std::size_t group = 0; group < groups; ++group) {
            const std::size_t q = group * kQueries;
            roundAll(weights + q * stride, stride, smaller(kQueries, queryCount - q), even,
                     factors + group * blockCount);
        }
        Probe<false> probe(blocks.at(0, 0));
        probe.rest();
        Rounding rounding = probe.rounding();
        for (std::size_t row = 0; row < even; row += kDepth) {
            const Factors* const blockFactors = factors + row / kDepth;
            const bool finite = areFinite(blockFactors, blockCount, groups);
            const std::byte* prefetchAt = window.addressFor(at + row * rows.rowBytes);
            const auto prefetchNext = [&] GUFO_INLINE {
                prefetchFar(prefetchAt);
                prefetchFar(prefetchAt + kLine);
                prefetchAt += 2 * kLine;
            };
            for (std::size_t j = 0; j < length; j += kWidth) {
                const std::size_t column = blocks.column(j);
                const bool whole = column == j && queryCount % kQueries == 0;
                to = sums + column;
                mask = ~0U << (j - column);
                const Columns columns = blocks.at(row, j);
                Probe<false> after(blocks.after(row, j));
                Rounding next;
                if (!rounding.finite || !finite) [[unlikely]] {
                    sumFloats(columns, mask, weights + row, stride, queryCount, takeFloats);
                    after.rest();
                    next = after.rounding();
                } else if (whole) {
                    sumBlock(columns, rounding, blockFactors, blockCount, groups, after, next, prefetchNext, take);
                } else {
                    sumBlock(columns, rounding, blockFactors, blockCount, groups, after, next, prefetchNext, takeSome);
                }
                rounding = next;
            }
        }
    }
    for (std::size_t j = 0; even < count && j < length; j += kWidth) {
        const std::size_t column = blocks.column(j);
        to = sums + column;
        mask = ~0U << (j - column);
        Columns last = blocks.at(even, j);
        last.count = 1;
        sumFloats(last, mask, weights + even, stride, queryCount, takeFloats);
    }
}

void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    if (rows.length < kWidth || !isWorthRounding(rows.allQueries, queryCount)) {
        floatKernels.gather(rows, count, weights, stride, queryCount, sums);
        return;
    }
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    for (std::size_t q = 0; q < queryCount; q += kMaxQueries) {
        for (std::size_t row = 0; row < count; row += kRows) {
            CachedRows piece = rows;
            piece.data += row * rows.rowBytes;
            gatherRows(piece, smaller(count - row, kRows), weights + q * stride + row, stride,
                       smaller(kMaxQueries, queryCount - q), sums + q * rows.length, window, row * rows.rowBytes);
        }
    }
}

} // namespace

void installAttentionF16(AttentionKernels& kernels) {
    auto& functions = kernels.types[TensorType::F16];
    floatKernels = functions;
    functions.scoreTiles = scoreTiles;
    functions.gather = gather;
}

} // namespace gufo::avx512
