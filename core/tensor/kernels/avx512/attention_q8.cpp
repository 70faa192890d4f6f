// Attention over Q8_0 with products of codes and 16-bit integers: one instruction computes 32 of them instead of 16
// float products. Queries are rounded to 16 bits in groups of 32, like the codes; weights are multiplied by the scales
// of the rows and rounded in pieces of kRows rows. The error is a hundredth of the error of the codes themselves.
#include "tensor/kernels/avx512/integer_sums.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <type_traits>
#include <utility>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kGroup = 32;
constexpr std::size_t kGroupBytes = 34;
constexpr std::size_t kTogether = 4; // queries whose scores are computed together
constexpr float kMaxValue = 32'767;

// The even or odd codes of dwords of four, sign-extended to two 16-bit numbers: c0 c1 c2 c3 → c0 c2, or c1 c3.
inline __m512i evenCodes(__m512i codes) { return _mm512_srai_epi16(_mm512_slli_epi16(codes, 8), 8); }
inline __m512i oddCodes(__m512i codes) { return _mm512_srai_epi16(codes, 8); }

// Rounds sixteen floats to 16-bit numbers.
inline __m256i rounded(__m512 values, __m512 inverse) {
    return _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(_mm512_mul_ps(values, inverse)));
}
inline float inverseOf(float scale) { return scale > 0 ? 1 / scale : 0; }

// Groups of queries in 16 bits, in the order of evenCodes() and oddCodes(). For each four elements x0 … x3 there are
// two dwords, as roundQuery() permutes them:
//
//   x0 x1 x2 x3  x4 x5 x6 x7  …   →   [x0 x2] [x1 x3]  [x4 x6] [x5 x7]  …
constexpr std::size_t kGroups = 16; // groups processed at a time
struct RoundedGroup {
    alignas(64) std::int32_t pairs[kTogether][kGroup / 2];
    float scales[kTogether];
};

void roundQuery(const float* query, std::size_t length, std::size_t q, RoundedGroup* out) {
    const __m512i order = _mm512_set_epi16(31, 29, 30, 28, 27, 25, 26, 24, 23, 21, 22, 20, 19, 17, 18, 16, 15, 13, 14,
                                           12, 11, 9, 10, 8, 7, 5, 6, 4, 3, 1, 2, 0);
    for (std::size_t g = 0; g * kGroup < length; ++g) {
        const std::size_t count = smaller(kGroup, length - g * kGroup);
        const std::uint32_t mask = count == kGroup ? ~0U : (1U << count) - 1;
        const float* from = query + g * kGroup;
        const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from);
        const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16U), from + 16);
        const float scale = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high))) / kMaxValue;
        const __m512 inverse = _mm512_set1_ps(inverseOf(scale));
        const __m512i both =
            _mm512_inserti64x4(_mm512_castsi256_si512(rounded(low, inverse)), rounded(high, inverse), 1);
        _mm512_store_si512(out[g].pairs[q], _mm512_permutexvar_epi16(order, both));
        out[g].scales[q] = scale;
    }
}

// What a set of queries (kTogether of them, or one of the rest) prefetches while it is multiplied with two tiles: the
// lines of two others, or if there are several sets, the first and the second set half of them, because more lines at a
// time would wait for each other. The second set and all others prefetch some of the upcoming range.
enum class Prefetched : std::uint8_t { Both, First, Second, Upcoming };

// Computes the scores of two tiles and `count` queries: to[q × stride + row].
template<std::size_t count, Prefetched what>
inline void scoreTwo(const std::byte* const (&tiles)[2], std::size_t groups, const RoundedGroup* queries, float* to,
                     std::size_t stride, const std::byte* prefetchAt, PrefetchRange& upcoming) {
    __m512 sums[count][2]{};
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t at = g * kGroupBytes * kTileRows;
        __m512i dots[count][2]{};
        for (std::size_t d = 0; d < kGroup / 4; ++d) {
            const std::byte* const lines = prefetchAt + 2 * at + 2 * d * kLine;
            if constexpr (what == Prefetched::Both || what == Prefetched::First) {
                __builtin_prefetch(lines);
            }
            if constexpr (what == Prefetched::Both || what == Prefetched::Second) {
                __builtin_prefetch(lines + kLine);
            }
            if constexpr (what == Prefetched::Second || what == Prefetched::Upcoming) {
                prefetchLine(upcoming);
            }
            const std::size_t place = at + 2 * kTileRows + d * kLine;
            const __m512i codes[2] = {load64(tiles[0] + place), load64(tiles[1] + place)};
            const __m512i even[2] = {evenCodes(codes[0]), evenCodes(codes[1])};
            const __m512i odd[2] = {oddCodes(codes[0]), oddCodes(codes[1])};
#pragma GCC unroll 4
            for (std::size_t q = 0; q < count; ++q) {
                const __m512i x = _mm512_set1_epi32(queries[g].pairs[q][2 * d]);
                const __m512i y = _mm512_set1_epi32(queries[g].pairs[q][2 * d + 1]);
                addProducts(dots[q][0], even[0], x);
                addProducts(dots[q][1], even[1], x);
                addProducts(dots[q][0], odd[0], y);
                addProducts(dots[q][1], odd[1], y);
            }
        }
#pragma GCC unroll 2
        for (std::size_t t = 0; t < 2; ++t) {
            const __m512 scales = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(tiles[t] + at)));
#pragma GCC unroll 4
            for (std::size_t q = 0; q < count; ++q) {
                const __m512 scale = _mm512_mul_ps(scales, _mm512_set1_ps(queries[g].scales[q]));
                sums[q][t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[q][t]), scale, sums[q][t]);
            }
        }
    }
    unrolled(Times<2 * count>(), [&](std::size_t i) GUFO_INLINE {
        _mm512_storeu_ps(to + i / 2 * stride + i % 2 * kTileRows, sums[i / 2][i % 2]);
    });
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

// Computes the scores of `count` queries and the rows [from, to), which begin with a tile.
template<std::size_t count, Prefetched what>
void scoreRows(const Scoring& scoring, std::size_t from, std::size_t to, const RoundedGroup* queries, float* scores,
               std::size_t stride) {
    const CachedTiles& tiles = scoring.tiles;
    const std::byte* const data = tiles.data + scoring.column / kGroup * kGroupBytes * kTileRows;
    for (std::size_t row = from; row < to; row += 2 * kTileRows) {
        const std::byte* const tile = data + row / kTileRows * tiles.bytes;
        const std::byte* const pair[2] = {tile, row + kTileRows < to ? tile + tiles.bytes : tile};
        const std::byte* const prefetchAt = scoring.window.addressFor(row / kTileRows * tiles.bytes) +
                                            2 * (scoring.column / kGroup) * kGroupBytes * kTileRows;
        const bool whole = scoring.column == 0 && row >= scoring.firstRow && row + 2 * kTileRows <= to;
        float each[count * 2 * kTileRows];
        scoreTwo<count, what>(pair, scoring.groups, queries, whole ? scores + row - scoring.firstRow : each,
                              whole ? stride : 2 * kTileRows, prefetchAt, scoring.upcoming);
        if (!whole) {
            const std::size_t begin = row > scoring.firstRow ? row : scoring.firstRow;
            const std::size_t stop = smaller(to, row + 2 * kTileRows);
            for (std::size_t q = 0; q < count; ++q) {
                float* const place = scores + q * stride + begin - scoring.firstRow;
                const float* const values = each + q * 2 * kTileRows + begin - row;
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
void scoreColumns(const Scoring& scoring, const float* queries, std::size_t queryCount, float* scores,
                  std::size_t stride, bool first) {
    RoundedGroup rounded[kRounded + (kTogether - 2) * kGroups];
    const std::size_t length = scoring.tiles.length;
    const std::size_t columns = smaller(length - scoring.column, scoring.groups * kGroup);
    const std::size_t sets = queryCount / kTogether + queryCount % kTogether;
    const auto firstOf = [&](std::size_t set) { // the last queries are alone
        return set < queryCount / kTogether ? set * kTogether : queryCount - (sets - set);
    };
    for (std::size_t set = 0; set < sets; ++set) {
        for (std::size_t q = firstOf(set); q < (set + 1 < sets ? firstOf(set + 1) : queryCount); ++q) {
            RoundedGroup* const groups = rounded + set * scoring.groups;
            roundQuery(queries + q * length + scoring.column, columns, q - firstOf(set), groups);
        }
    }
    // The first set passes over all of these rows before the second prefetches its half, so they are few if long.
    const std::size_t atOnce =
        4 * kTileRows * scoring.groups * kGroupBytes <= 2 * kNear ? 4 * kTileRows : 2 * kTileRows;
    for (std::size_t row = 0; row < scoring.end; row += atOnce) {
        const std::size_t to = smaller(scoring.end, row + atOnce);
        for (std::size_t set = 0; set < sets; ++set) {
            const auto run = [&]<Prefetched what>(std::integral_constant<Prefetched, what> /*what*/) {
                const auto score = set < queryCount / kTogether ? scoreRows<kTogether, what> : scoreRows<1, what>;
                score(scoring, row, to, rounded + set * scoring.groups, scores + firstOf(set) * stride, stride);
            };
            if (!first || set > 1) {
                run(std::integral_constant<Prefetched, Prefetched::Upcoming>());
            } else if (sets == 1) {
                run(std::integral_constant<Prefetched, Prefetched::Both>());
            } else if (set == 0) {
                run(std::integral_constant<Prefetched, Prefetched::First>());
            } else {
                run(std::integral_constant<Prefetched, Prefetched::Second>());
            }
        }
    }
}

void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    PrefetchRange none;
    PrefetchRange& upcoming = tiles.upcoming != nullptr ? *tiles.upcoming : none;
    const std::size_t end = first + count;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next, kNear};
    for (std::size_t column = 0; column < tiles.length; column += kGroups * kGroup) {
        const std::size_t groups = smaller((tiles.length - column + kGroup - 1) / kGroup, kGroups);
        const std::size_t atOnce = kRounded / groups * kTogether;
        for (std::size_t q = 0; q < queryCount; q += atOnce) {
            scoreColumns({tiles, first, end, column, groups, window, upcoming}, queries + q * tiles.length,
                         smaller(atOnce, queryCount - q), scores + q * stride, stride, q == 0);
        }
    }
}

// Rows that are summed in integers; more than 516 could overflow. All passes over a block find it in the L1 or L2
// cache, where the next one is prefetched, too.
constexpr std::size_t kRows = 128;
constexpr std::size_t kStep = 8; // rows between two prefetches

// Weights times the scales of the rows of a block in 16 bits, in pairs of rows, for one group of columns.
struct RoundedWeights {
    alignas(64) std::int32_t pairs[kGathered][kRows / 2];
    float scales[kGathered];
};

// The scales of the first `count` of eight rows. They are inserted one after another: a load of halves that were stored
// singly would wait for the stores.
template<bool whole, int... row>
inline __m256 loadEight(const std::byte* from, std::size_t rowBytes, std::size_t count,
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
void loadScales(const CachedRows& rows, std::size_t count, std::size_t g, float (&scales)[kRows]) {
    constexpr auto kEight = std::make_integer_sequence<int, 8>();
    for (std::size_t i = 0; i < count; i += 8) {
        const std::byte* from = rows.data + i * rows.rowBytes + g * kGroupBytes;
        const __m256 eight = i + 8 <= count ? loadEight<true>(from, rows.rowBytes, 8, kEight)
                                            : loadEight<false>(from, rows.rowBytes, count - i, kEight);
        _mm256_storeu_ps(scales + i, eight);
        if (i + 8 < kRows) {
            _mm256_storeu_ps(scales + i + 8, _mm256_setzero_ps());
        }
    }
}

// Rounds the weights of all queries together, so that none waits for the largest product of another.
template<std::size_t queries>
[[gnu::noinline]] void roundWeights(const float* weights, std::size_t stride, const float (&scales)[kRows],
                                    std::size_t count, RoundedWeights& out) {
    alignas(64) float products[queries][kRows];
    __m512 largest[queries]{};
    for (std::size_t i = 0; i < count; i += 16) {
        const __m512 scale = _mm512_loadu_ps(scales + i);
        const auto lanes = static_cast<__mmask16>(count - i >= 16 ? 0xFFFFU : (1U << (count - i)) - 1);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m512 product = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, weights + q * stride + i), scale);
            _mm512_store_ps(products[q] + i, product);
            largest[q] = _mm512_max_ps(largest[q], _mm512_abs_ps(product));
        });
    }
    if ((count + 15) / 16 % 2 != 0) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            _mm512_store_ps(products[q] + (count + 15) / 16 * 16, _mm512_setzero_ps());
        });
    }
    __m512 inverses[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        out.scales[q] = _mm512_reduce_max_ps(largest[q]) / kMaxValue;
        inverses[q] = _mm512_set1_ps(inverseOf(out.scales[q]));
    });
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    for (std::size_t i = 0; i < count; i += 32) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const float* from = products[q] + i;
            const __m512i low = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_load_ps(from), inverses[q]));
            const __m512i high = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_load_ps(from + 16), inverses[q]));
            _mm512_store_si512(out.pairs[q] + i / 2, _mm512_permutexvar_epi64(order, _mm512_packs_epi32(low, high)));
        });
    }
}

// Adds `count` rows, times the weights of `queries` queries, to the sums of the first `elements` columns of a group.
// `codes` points to the first row.
template<std::size_t queries>
[[gnu::noinline]] void gatherGroup(const std::byte* codes, std::size_t rowBytes, std::size_t count,
                                   std::size_t elements, const RoundedWeights& weights, float* sums, std::size_t stride,
                                   BlockPrefetch& nextBlock) {
    __m512i totals[queries][2]{};
    const std::int32_t* pairs = &weights.pairs[0][0];
    const auto addRows = [&](const std::byte* second) GUFO_INLINE {
        const __m512i a = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes)));
        const __m512i b = _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(second)));
        const __m512i low = _mm512_unpacklo_epi16(a, b);
        const __m512i high = _mm512_unpackhi_epi16(a, b);
#pragma GCC unroll 8
        for (std::size_t q = 0; q < queries; ++q) {
            const __m512i pair = _mm512_set1_epi32(pairs[q * (kRows / 2)]);
            addProducts(totals[q][0], low, pair);
            addProducts(totals[q][1], high, pair);
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
    const std::uint32_t exists = elements >= kGroup ? ~0U : (1U << elements) - 1;
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const __m512 scale = _mm512_set1_ps(weights.scales[q]);
        float* to = sums + q * stride;
        const auto add = [&](std::size_t k, __m512i total) GUFO_INLINE {
            const auto lanes = static_cast<__mmask16>(exists >> (16 * k));
            const __m512 values = _mm512_mul_ps(_mm512_cvtepi32_ps(total), scale);
            _mm512_mask_storeu_ps(to + 16 * k, lanes, _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, to + 16 * k), values));
        };
        add(0, columnsOf<0>(totals[q][0], totals[q][1]));
        add(1, columnsOf<1>(totals[q][0], totals[q][1]));
    });
}

void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    PrefetchRange upcoming = rows.upcoming != nullptr ? *rows.upcoming : PrefetchRange();
    std::size_t passes = 0;
    forGathered(queryCount, [&](std::size_t /*q*/, const auto& /*together*/) { ++passes; });
    passes *= (rows.length + kGroup - 1) / kGroup;
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next, kRows * rows.rowBytes};
    for (std::size_t first = 0; first < count; first += kRows) {
        CachedRows block = rows;
        block.data += first * rows.rowBytes;
        const std::size_t blockCount = smaller(kRows, count - first);
        const std::size_t steps = passes * ((blockCount + kStep - 1) / kStep);
        BlockPrefetch nextBlock{.window = window,
                                .at = first * rows.rowBytes,
                                .end = (first + blockCount) * rows.rowBytes,
                                .lines = (blockCount * rows.rowBytes / kLine + steps) / steps,
                                .upcoming = upcoming};
        for (std::size_t j = 0; j < rows.length; j += kGroup) {
            float scales[kRows];
            loadScales(block, blockCount, j / kGroup, scales);
            forGathered(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
                RoundedWeights rounded;
                roundWeights<together>(weights + q * stride + first, stride, scales, blockCount, rounded);
                gatherGroup<together>(block.data + j / kGroup * kGroupBytes + 2, rows.rowBytes, blockCount,
                                      smaller(kGroup, rows.length - j), rounded, sums + q * rows.length + j,
                                      rows.length, nextBlock);
            });
        }
    }
    if (rows.upcoming != nullptr) {
        *rows.upcoming = upcoming;
    }
}

} // namespace

void installAttentionQ8(AttentionKernels& kernels) {
    auto& functions = kernels.types[TensorType::Q8_0];
    functions.scoreTiles = scoreTiles;
    functions.gather = gather;
}

} // namespace gufo::avx512
