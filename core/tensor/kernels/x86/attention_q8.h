// Attention over Q8_0 with products of codes and 16-bit integers. One instruction accumulates twice as many of them as
// products of floats, and codes need not be converted to floats and multiplied by their scales first. Queries are
// rounded to 16 bits in groups of 32, like the codes; weights are multiplied by the scales of the rows and rounded in
// blocks of rows. The error is a hundredth of the error of the codes themselves.
//
// V is the vectors of an instruction set (avx2/attention_integers.cpp, avx512/attention_integers.cpp). Scores are
// computed for two vectors of rows at a time: a tile of 16 rows is two vectors of AVX2 or one of AVX-512, which takes
// two tiles. Everything has internal linkage.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/x86/query_groups.h"

#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <type_traits>
#include <utility>

namespace gufo::attention_q8 {
namespace {

constexpr std::size_t kGroup = 32; // columns that have a scale in common
constexpr std::size_t kGroupBytes = 34;
constexpr float kMaxValue = 32'767;

inline float inverseOf(float scale) { return scale > 0 ? 1 / scale : 0; }

// --- scores

constexpr std::size_t kScored = 4;  // queries whose scores are computed together
constexpr std::size_t kGroups = 16; // groups of columns that are processed at a time

// A group of columns of queries in 16 bits. Four elements x0 … x3 become the dwords [x0 x2] [x1 x3], in the order in
// which scoreTwo() unpacks four codes.
struct RoundedGroup {
    alignas(64) std::int32_t pairs[kScored][kGroup / 2];
    float scales[kScored];
};

template<typename V>
void roundQuery(const float* query, std::size_t length, std::size_t q, RoundedGroup* out) {
    using Floats = typename V::Floats;
    constexpr std::size_t kVectors = kGroup / V::kLanes;
    for (std::size_t g = 0; g * kGroup < length; ++g) {
        Floats values[kVectors];
        Floats largest = V::zero();
        for (std::size_t v = 0; v < kVectors; ++v) {
            const std::size_t at = g * kGroup + v * V::kLanes;
            values[v] = at < length ? V::loadFirst(query + at, smaller(length - at, V::kLanes)) : V::zero();
            largest = V::largerMagnitude(largest, values[v]);
        }
        const float scale = V::largest(largest) / kMaxValue;
        const Floats inverse = V::all(inverseOf(scale));
        for (std::size_t v = 0; v < kVectors; v += 2) {
            V::store(out[g].pairs[q] + v / 2 * V::kLanes,
                     V::evenBeforeOdd(V::rounded16(values[v], values[v + 1], inverse)));
        }
        out[g].scales[q] = scale;
    }
}

// Where the scales and codes of the two vectors of rows begin that are multiplied at a time.
struct TwoVectors {
    const std::byte* scales[2];
    const std::byte* codes[2];
};

// What a set of queries prefetches while it is multiplied with two vectors of rows: the lines of the next ones, or if
// there are several sets, the first and the second set half of them, because more lines at a time would wait for each
// other. The second set and all others prefetch some of the upcoming range.
enum class Prefetched : std::uint8_t { All, FirstHalf, SecondHalf, Upcoming };

template<typename V, Prefetched what>
[[gnu::always_inline]] inline void prefetchWith(std::size_t step, const std::byte* lines, PrefetchRange& upcoming) {
    constexpr bool isHalf = what == Prefetched::FirstHalf || what == Prefetched::SecondHalf;
    constexpr std::size_t kFirst = what == Prefetched::SecondHalf ? 1 : 0;
    if constexpr (what == Prefetched::All || (isHalf && V::kTiles == 2)) {
        for (std::size_t i = kFirst; i < V::kTiles; i += isHalf ? 2 : 1) {
            __builtin_prefetch(lines + i * kLine);
        }
    } else if constexpr (isHalf) {
        if (step % 2 == kFirst) {
            __builtin_prefetch(lines);
        }
    }
    if constexpr (what == Prefetched::SecondHalf || what == Prefetched::Upcoming) {
        prefetchLine(upcoming);
    }
}

// Computes the scores of two vectors of rows and `count` queries: to[q × stride + row].
template<typename V, std::size_t count, Prefetched what>
inline void scoreTwo(const TwoVectors& vectors, std::size_t groups, const RoundedGroup* queries, float* to,
                     std::size_t stride, const std::byte* prefetchAt, PrefetchRange& upcoming) {
    using Floats = typename V::Floats;
    using Ints = typename V::Ints;
    Floats sums[count][2];
    unrolled(Times<2 * count>(), [&](std::size_t i) GUFO_INLINE { sums[i / 2][i % 2] = V::zero(); });
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t at = g * kGroupBytes * kTileRows;
        Ints dots[count][2];
        unrolled(Times<2 * count>(), [&](std::size_t i) GUFO_INLINE { dots[i / 2][i % 2] = V::zeroInts(); });
        for (std::size_t step = 0; step < kGroup / 4; ++step) {
            prefetchWith<V, what>(step, prefetchAt + V::kTiles * (at + step * kLine), upcoming);
            Ints even[2];
            Ints odd[2];
            unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
                const Ints codes = V::load(vectors.codes[k] + at + step * 4 * kTileRows);
                even[k] = V::evenCodes(codes);
                odd[k] = V::oddCodes(codes);
            });
            unrolled(Times<count>(), [&](std::size_t q) GUFO_INLINE {
                const Ints x = V::all(queries[g].pairs[q][2 * step]);
                V::addProducts(dots[q][0], even[0], x);
                V::addProducts(dots[q][1], even[1], x);
                const Ints y = V::all(queries[g].pairs[q][2 * step + 1]);
                V::addProducts(dots[q][0], odd[0], y);
                V::addProducts(dots[q][1], odd[1], y);
            });
        }
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            const Floats scales = V::loadHalves(vectors.scales[k] + at);
            unrolled(Times<count>(), [&](std::size_t q) GUFO_INLINE {
                const Floats scale = V::multiply(scales, V::all(queries[g].scales[q]));
                sums[q][k] = V::multiplyAdd(V::toFloats(dots[q][k]), scale, sums[q][k]);
            });
        });
    }
    unrolled(Times<2 * count>(),
             [&](std::size_t i) GUFO_INLINE { V::store(to + i / 2 * stride + i % 2 * V::kLanes, sums[i / 2][i % 2]); });
}

// What the scores of several sets of queries have in common. Scores are computed for the columns
// [column, column + 32 × groups), as far as there are so many. The first call (column = 0) sets the scores, later ones
// add to them.
struct Scoring {
    const CachedTiles& tiles;
    std::size_t firstRow;
    std::size_t end; // one past the last row
    std::size_t column;
    std::size_t groups;
    PrefetchWindow window;
    PrefetchRange& upcoming;
};

template<typename V>
TwoVectors vectorsAt(const Scoring& scoring, std::size_t row, std::size_t end) {
    const CachedTiles& tiles = scoring.tiles;
    const std::byte* const one =
        tiles.data + row / kTileRows * tiles.bytes + scoring.column / kGroup * kGroupBytes * kTileRows;
    const std::byte* const codes = one + 2 * kTileRows;
    if constexpr (V::kTiles == 1) {
        return {{one, one + 2 * V::kLanes}, {codes, codes + 4 * V::kLanes}};
    } else {
        const std::size_t next = row + kTileRows < end ? tiles.bytes : 0;
        return {{one, one + next}, {codes, codes + next}};
    }
}

// Computes the scores of `count` queries and the rows [from, to), which begin with a tile.
template<typename V, std::size_t count, Prefetched what>
void scoreRows(const Scoring& scoring, std::size_t from, std::size_t to, const RoundedGroup* queries, float* scores,
               std::size_t stride) {
    constexpr std::size_t kRows = 2 * V::kLanes;
    for (std::size_t row = from; row < to; row += kRows) {
        const std::byte* const prefetchAt = scoring.window.addressFor(row / kTileRows * scoring.tiles.bytes) +
                                            V::kTiles * (scoring.column / kGroup) * kGroupBytes * kTileRows;
        const bool whole = scoring.column == 0 && row >= scoring.firstRow && row + kRows <= to;
        float each[count * kRows];
        scoreTwo<V, count, what>(vectorsAt<V>(scoring, row, to), scoring.groups, queries,
                                 whole ? scores + row - scoring.firstRow : each, whole ? stride : kRows, prefetchAt,
                                 scoring.upcoming);
        if (!whole) {
            const std::size_t begin = row > scoring.firstRow ? row : scoring.firstRow;
            const std::size_t stop = smaller(to, row + kRows);
            for (std::size_t q = 0; q < count && begin < stop; ++q) {
                float* const place = scores + q * stride + begin - scoring.firstRow;
                const float* const values = each + q * kRows + begin - row;
                for (std::size_t i = 0; i < stop - begin; ++i) {
                    place[i] = scoring.column == 0 ? values[i] : place[i] + values[i];
                }
            }
        }
    }
}

// How many bytes ahead of the read position lines are prefetched into the L1 cache. The L2 cache would be slower here,
// because each line is multiplied for longer.
constexpr std::size_t kNear = 8192;

// Computes the scores of some rows for all sets of queries before the scores of the next rows. There are at most
// kRounded / groups whole sets.
constexpr std::size_t kRounded = 64; // RoundedGroups of whole sets
template<typename V>
void scoreColumns(const Scoring& scoring, const float* queries, std::size_t queryCount, float* scores,
                  std::size_t stride, bool isFirst) {
    RoundedGroup rounded[kRounded + mostGroups<kScored>(0) * kGroups];
    const std::size_t length = scoring.tiles.length;
    const std::size_t columns = smaller(length - scoring.column, scoring.groups * kGroup);
    std::size_t sets = 0;
    forGroups<kScored>(queryCount, [&]<std::size_t... i>(std::size_t first, std::index_sequence<i...> /*count*/) {
        (roundQuery<V>(queries + (first + i) * length + scoring.column, columns, i, rounded + sets * scoring.groups),
         ...);
        ++sets;
    });
    // The first set passes over all of these rows before the second prefetches its half, so they are few if long.
    const std::size_t atOnce =
        4 * kTileRows * scoring.groups * kGroupBytes <= 2 * kNear ? 4 * kTileRows : 2 * kTileRows;
    for (std::size_t row = 0; row < scoring.end; row += atOnce) {
        const std::size_t to = smaller(scoring.end, row + atOnce);
        std::size_t set = 0;
        forGroups<kScored>(queryCount, [&]<std::size_t... i>(std::size_t first, std::index_sequence<i...> /*count*/) {
            constexpr std::size_t count = sizeof...(i);
            const auto score = !isFirst || set > 1 ? scoreRows<V, count, Prefetched::Upcoming>
                               : sets == 1         ? scoreRows<V, count, Prefetched::All>
                               : set == 0          ? scoreRows<V, count, Prefetched::FirstHalf>
                                                   : scoreRows<V, count, Prefetched::SecondHalf>;
            score(scoring, row, to, rounded + set * scoring.groups, scores + first * stride, stride);
            ++set;
        });
    }
}

template<typename V>
void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    PrefetchRange none;
    PrefetchRange& upcoming = tiles.upcoming != nullptr ? *tiles.upcoming : none;
    const std::size_t end = first + count;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next, kNear};
    for (std::size_t column = 0; column < tiles.length; column += kGroups * kGroup) {
        const std::size_t groups = smaller((tiles.length - column + kGroup - 1) / kGroup, kGroups);
        const std::size_t atOnce = kRounded / groups * kScored;
        for (std::size_t q = 0; q < queryCount; q += atOnce) {
            scoreColumns<V>({tiles, first, end, column, groups, window, upcoming}, queries + q * tiles.length,
                            smaller(atOnce, queryCount - q), scores + q * stride, stride, q == 0);
        }
    }
}

// --- sums of values

// Rows that are summed in integers: at most 516, beyond which sums could overflow. All passes over a block find it in
// the L1 cache, or with AVX-512 in the L2 cache, where the next one is prefetched, too.
constexpr std::size_t kMaxRows = 128;
constexpr std::size_t kStep = 8; // rows between two prefetches

template<typename V>
constexpr std::size_t blockRows(std::size_t rowBytes) {
    const std::size_t rows = V::kBlockBytes / rowBytes / 32 * 32;
    return rows > kMaxRows ? kMaxRows : rows < 32 ? 32 : rows;
}

// Weights times the scales of the rows of a block in 16 bits, in pairs of rows, for one group of columns.
template<typename V>
struct RoundedWeights {
    alignas(64) std::int32_t pairs[V::kTogether][kMaxRows / 2];
    float scales[V::kTogether];
};

// The scales of the first `count` of eight rows. They are inserted one after another: a load of halves that were stored
// singly would wait for the stores.
template<bool whole, int... row>
inline __m256 scalesOfEight(const std::byte* from, std::size_t rowBytes, std::size_t count,
                            std::integer_sequence<int, row...> /*rows*/) {
    __m128i eight = _mm_setzero_si128();
    const auto insert = [&]<int i>(std::integral_constant<int, i> /*row*/) GUFO_INLINE {
        std::int16_t bits = 0;
        std::memcpy(&bits, from + (whole || i < count ? i : 0) * rowBytes, sizeof bits);
        eight = _mm_insert_epi16(eight, whole || i < count ? bits : 0, i);
    };
    (insert(std::integral_constant<int, row>()), ...);
    return _mm256_cvtph_ps(eight);
}

// Loads the scales of group g of `count` rows, and zeros to the end of a vector.
inline void loadScales(const CachedRows& rows, std::size_t count, std::size_t g, float (&scales)[kMaxRows]) {
    constexpr auto kEight = std::make_integer_sequence<int, 8>();
    for (std::size_t i = 0; i < count; i += 8) {
        const std::byte* from = rows.data + i * rows.rowBytes + g * kGroupBytes;
        const __m256 eight = i + 8 <= count ? scalesOfEight<true>(from, rows.rowBytes, 8, kEight)
                                            : scalesOfEight<false>(from, rows.rowBytes, count - i, kEight);
        _mm256_storeu_ps(scales + i, eight);
        if (i + 8 < kMaxRows) {
            _mm256_storeu_ps(scales + i + 8, _mm256_setzero_ps());
        }
    }
}

// Rounds the weights of all queries together, so that the horizontal maxima of the queries overlap.
template<typename V, std::size_t queries>
[[gnu::noinline]] void roundWeights(const float* weights, std::size_t stride, const float (&scales)[kMaxRows],
                                    std::size_t count, RoundedWeights<V>& out) {
    using Floats = typename V::Floats;
    alignas(64) float products[queries][kMaxRows];
    Floats largest[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE { largest[q] = V::zero(); });
    const auto multiply = [&](std::size_t i, const auto& load) GUFO_INLINE {
        const Floats scale = V::load(scales + i);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const Floats product = V::multiply(load(weights + q * stride + i), scale);
            V::store(products[q] + i, product);
            largest[q] = V::largerMagnitude(largest[q], product);
        });
    };
    std::size_t i = 0;
    for (; i + V::kLanes <= count; i += V::kLanes) {
        multiply(i, [](const float* from) GUFO_INLINE { return V::load(from); });
    }
    if (i < count) {
        multiply(i, [&](const float* from) GUFO_INLINE { return V::loadFirst(from, count - i); });
        i += V::kLanes;
    }
    if (i % (2 * V::kLanes) != 0) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE { V::store(products[q] + i, V::zero()); });
    }
    Floats inverses[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        out.scales[q] = V::largest(largest[q]) / kMaxValue;
        inverses[q] = V::all(inverseOf(out.scales[q]));
    });
    for (i = 0; i < count; i += 2 * V::kLanes) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const float* const each = products[q] + i;
            V::store(out.pairs[q] + i / 2, V::rounded16(V::load(each), V::load(each + V::kLanes), inverses[q]));
        });
    }
}

// Adds `count` rows, times the weights of `queries` queries, to the sums of the first `elements` of 2 × kLanes columns.
// `codes` points to the first row.
template<typename V, std::size_t queries>
[[gnu::noinline]] void gatherColumns(const std::byte* codes, std::size_t rowBytes, std::size_t count,
                                     std::size_t elements, const RoundedWeights<V>& weights, float* sums,
                                     std::size_t stride, BlockPrefetch& nextBlock) {
    using Ints = typename V::Ints;
    Ints totals[queries][2];
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE { totals[i / 2][i % 2] = V::zeroInts(); });
    const std::int32_t* pairs = &weights.pairs[0][0];
    const auto addRows = [&](const std::byte* second) GUFO_INLINE {
        const Ints a = V::loadBytes(codes);
        const Ints b = V::loadBytes(second);
        const Ints low = V::pairsLow(a, b);
        const Ints high = V::pairsHigh(a, b);
#pragma GCC unroll 8
        for (std::size_t q = 0; q < queries; ++q) {
            const Ints pair = V::all(pairs[q * (kMaxRows / 2)]);
            V::addProducts(totals[q][0], low, pair);
            V::addProducts(totals[q][1], high, pair);
        }
        codes += 2 * rowBytes;
        ++pairs;
    };
    std::size_t left = count;
    for (; left >= kStep; left -= kStep) {
        nextBlock.step();
#pragma GCC unroll 4
        for (std::size_t pair = 0; pair < kStep / 2; ++pair) {
            addRows(codes + rowBytes);
        }
    }
    for (; left >= 2; left -= 2) {
        addRows(codes + rowBytes);
    }
    if (left != 0) {
        addRows(codes); // the second weight is zero
    }
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const auto scale = V::all(weights.scales[q]);
        float* const to = sums + q * stride;
        const std::size_t rest = elements > V::kLanes ? elements - V::kLanes : 0;
        V::addTo(to, elements, V::toFloats(V::template columnsOf<0>(totals[q][0], totals[q][1])), scale);
        V::addTo(to + V::kLanes, rest, V::toFloats(V::template columnsOf<1>(totals[q][0], totals[q][1])), scale);
    });
}

template<typename V>
void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    constexpr std::size_t kColumns = 2 * V::kLanes;
    PrefetchRange upcoming = rows.upcoming != nullptr ? *rows.upcoming : PrefetchRange();
    const std::size_t atOnce = blockRows<V>(rows.rowBytes);
    std::size_t passes = 0;
    forGroups<V::kTogether>(queryCount, [&](std::size_t /*first*/, const auto& /*count*/) { ++passes; });
    passes *= (rows.length + kColumns - 1) / kColumns;
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next, atOnce * rows.rowBytes};
    for (std::size_t first = 0; first < count; first += atOnce) {
        CachedRows block = rows;
        block.data += first * rows.rowBytes;
        const std::size_t blockCount = smaller(atOnce, count - first);
        const std::size_t steps = passes * ((blockCount + kStep - 1) / kStep);
        BlockPrefetch nextBlock{.window = window,
                                .at = first * rows.rowBytes,
                                .end = (first + blockCount) * rows.rowBytes,
                                .lines = (blockCount * rows.rowBytes / kLine + steps) / steps,
                                .upcoming = upcoming};
        for (std::size_t j = 0; j < rows.length; j += kGroup) {
            float scales[kMaxRows];
            loadScales(block, blockCount, j / kGroup, scales);
            const std::byte* const codes = block.data + j / kGroup * kGroupBytes + 2;
            forGroups<V::kTogether>(
                queryCount, [&]<std::size_t... i>(std::size_t q, std::index_sequence<i...> /*count*/) {
                    constexpr std::size_t together = sizeof...(i);
                    RoundedWeights<V> rounded;
                    roundWeights<V, together>(weights + q * stride + first, stride, scales, blockCount, rounded);
                    for (std::size_t column = 0; column < smaller(kGroup, rows.length - j); column += kColumns) {
                        gatherColumns<V, together>(codes + column, rows.rowBytes, blockCount,
                                                   smaller(kColumns, rows.length - j - column), rounded,
                                                   sums + q * rows.length + j + column, rows.length, nextBlock);
                    }
                });
        }
    }
    if (rows.upcoming != nullptr) {
        *rows.upcoming = upcoming;
    }
}

} // namespace
} // namespace gufo::attention_q8
