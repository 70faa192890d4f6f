// Attention over Q8_0 with products of codes and 16-bit integers: one instruction computes 32 of them instead of 16
// float products. Queries are rounded to 16 bits in groups of 32, like the codes; weights are multiplied by the scales
// of the rows and rounded in pieces of kRows rows. The error is a hundredth of that of the codes themselves.
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

#include <cstring>
#include <immintrin.h>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kGroup = 32;
constexpr std::size_t kGroupBytes = 34;
constexpr std::size_t kTogether = 4; // queries processed together
constexpr float kMaxValue = 32'767;

inline __m512i load64(const void* from) { return _mm512_loadu_si512(from); }
inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

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
struct RoundedQueries {
    alignas(64) std::int32_t pairs[kTogether][kGroups][kGroup / 2];
    float scales[kTogether][kGroups];
};

void roundQuery(const float* query, std::size_t length, std::size_t q, RoundedQueries& out) {
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
        _mm512_store_si512(out.pairs[q][g], _mm512_permutexvar_epi16(order, both));
        out.scales[q][g] = scale;
    }
}

// Computes the scores of two tiles and `count` queries: to[q × 2 × kTileRows + row].
template<std::size_t count, bool first>
inline void scoreTwo(const std::byte* const (&tiles)[2], std::size_t groups, const RoundedQueries& queries, float* to,
                     const std::byte* prefetchAt, PrefetchRange& upcoming) {
    __m512 sums[count][2]{};
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t at = g * kGroupBytes * kTileRows;
        __m512i dots[count][2]{};
        for (std::size_t d = 0; d < kGroup / 4; ++d) {
            if constexpr (first) {
                __builtin_prefetch(prefetchAt + 2 * at + 2 * d * kLine);
                __builtin_prefetch(prefetchAt + 2 * at + (2 * d + 1) * kLine);
            } else {
                prefetchLine(upcoming);
            }
            const __m512i codes[2] = {load64(tiles[0] + at + 2 * kTileRows + d * kLine),
                                      load64(tiles[1] + at + 2 * kTileRows + d * kLine)};
            const __m512i even[2] = {evenCodes(codes[0]), evenCodes(codes[1])};
            const __m512i odd[2] = {oddCodes(codes[0]), oddCodes(codes[1])};
#pragma GCC unroll 4
            for (std::size_t q = 0; q < count; ++q) {
                const __m512i x = _mm512_set1_epi32(queries.pairs[q][g][2 * d]);
                const __m512i y = _mm512_set1_epi32(queries.pairs[q][g][2 * d + 1]);
                dots[q][0] = _mm512_dpwssd_epi32(dots[q][0], even[0], x);
                dots[q][1] = _mm512_dpwssd_epi32(dots[q][1], even[1], x);
                dots[q][0] = _mm512_dpwssd_epi32(dots[q][0], odd[0], y);
                dots[q][1] = _mm512_dpwssd_epi32(dots[q][1], odd[1], y);
            }
        }
#pragma GCC unroll 2
        for (std::size_t t = 0; t < 2; ++t) {
            const __m512 scales = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(tiles[t] + at)));
#pragma GCC unroll 4
            for (std::size_t q = 0; q < count; ++q) {
                const __m512 scale = _mm512_mul_ps(scales, _mm512_set1_ps(queries.scales[q][g]));
                sums[q][t] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots[q][t]), scale, sums[q][t]);
            }
        }
    }
#pragma GCC unroll 4
    for (std::size_t q = 0; q < count; ++q) {
        _mm512_storeu_ps(to + q * 2 * kTileRows, sums[q][0]);
        _mm512_storeu_ps(to + q * 2 * kTileRows + kTileRows, sums[q][1]);
    }
}

// Computes scoreTiles() for the columns [column, column + 32 × kGroups). The first call (column = 0) sets the scores,
// later ones add to them.
template<std::size_t count, bool first>
void scoreColumns(const CachedTiles& tiles, std::size_t firstRow, std::size_t rows, std::size_t column,
                  const float* queries, float* scores, std::size_t stride, PrefetchRange& upcoming) {
    const std::size_t length = smaller(tiles.length - column, kGroups * kGroup);
    RoundedQueries rounded;
    for (std::size_t q = 0; q < count; ++q) {
        roundQuery(queries + q * tiles.length + column, length, q, rounded);
    }
    const std::size_t groups = (length + kGroup - 1) / kGroup;
    const std::byte* data = tiles.data + column / kGroup * kGroupBytes * kTileRows;
    const std::size_t end = firstRow + rows;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next};
    for (std::size_t row = 0; row < end; row += 2 * kTileRows) {
        const std::byte* const tile = data + row / kTileRows * tiles.bytes;
        const std::byte* const pair[2] = {tile, row + kTileRows < end ? tile + tiles.bytes : tile};
        float each[count * 2 * kTileRows];
        scoreTwo<count, first>(pair, groups, rounded, each, window.addressFor(row / kTileRows * tiles.bytes), upcoming);
        const std::size_t begin = row > firstRow ? row : firstRow;
        const std::size_t stop = smaller(end, row + 2 * kTileRows);
        for (std::size_t q = 0; q < count; ++q) {
            float* to = scores + q * stride + begin - firstRow;
            const float* from = each + q * 2 * kTileRows + begin - row;
            if (column == 0) {
                std::memcpy(to, from, (stop - begin) * sizeof(float));
            } else {
                for (std::size_t i = 0; i < stop - begin; ++i) {
                    to[i] += from[i];
                }
            }
        }
    }
}

void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    PrefetchRange upcoming = tiles.upcoming != nullptr ? *tiles.upcoming : PrefetchRange();
    for (std::size_t column = 0; column < tiles.length; column += kGroups * kGroup) {
        std::size_t q = 0;
        const auto runGroups = [&]<std::size_t together>(std::integral_constant<std::size_t, together> /*count*/) {
            for (; q + together <= queryCount; q += together) {
                const float* groupQueries = queries + q * tiles.length;
                float* to = scores + q * stride;
                if (q == 0) {
                    scoreColumns<together, true>(tiles, first, count, column, groupQueries, to, stride, upcoming);
                } else {
                    scoreColumns<together, false>(tiles, first, count, column, groupQueries, to, stride, upcoming);
                }
            }
        };
        runGroups(std::integral_constant<std::size_t, kTogether>());
        runGroups(std::integral_constant<std::size_t, 1>());
    }
    if (tiles.upcoming != nullptr) {
        *tiles.upcoming = upcoming;
    }
}

constexpr std::size_t kRows = 128; // rows that are summed in integers; more than 516 could overflow

// Weights times the scales of kRows rows in 16 bits, for each query and two groups.
struct RoundedWeights {
    alignas(64) std::int32_t pairs[kTogether][2][kRows / 2]; // pairs of rows
    float scales[kTogether][2];
};

// Loads the scales of group g of `count` rows.
void loadScales(const CachedRows& rows, std::size_t count, std::size_t g, float* scales) {
    const std::byte* from = rows.data + g * kGroupBytes;
    for (std::size_t i = 0; i < count; ++i, from += rows.rowBytes) {
        std::uint16_t half = 0;
        std::memcpy(&half, from, sizeof half);
        scales[i] = _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(half)));
    }
}

void roundWeights(const float* weights, const float* scales, std::size_t count, std::int32_t* pairs, float& scale) {
    __m512 products[kRows / 16];
    __m512 largest = _mm512_setzero_ps();
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows / 16; ++i) {
        const std::size_t left = count > i * 16 ? count - i * 16 : 0;
        const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1);
        products[i] = _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, weights + i * 16), _mm512_loadu_ps(scales + i * 16));
        largest = _mm512_max_ps(largest, _mm512_abs_ps(products[i]));
    }
    scale = _mm512_reduce_max_ps(largest) / kMaxValue;
    const __m512 inverse = _mm512_set1_ps(inverseOf(scale));
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kRows / 16; ++i) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(pairs + i * 8), rounded(products[i], inverse));
    }
}

// Loads the codes of two groups of a row; zeros if there is no second group.
template<bool both>
inline __m512i loadCodes(const std::byte* group) {
    const __m512i codes = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(group + 2)));
    if constexpr (both) {
        return _mm512_inserti64x4(codes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(group + kGroupBytes + 2)),
                                  1);
    }
    return _mm512_inserti64x4(codes, _mm256_setzero_si256(), 1);
}

// Adds `count` rows, times the weights of `queryCount` queries, to the sums of two groups from element j on, of which
// `elements` exist.
template<std::size_t queryCount, bool both, bool first>
inline void gatherGroups(const CachedRows& rows, std::size_t count, std::size_t j, std::size_t elements,
                         const RoundedWeights& weights, float* sums, const PrefetchWindow& window,
                         PrefetchRange& upcoming) {
    __m512i totals[queryCount][4]{};
    const std::byte* group = rows.data + j / kGroup * kGroupBytes;
    for (std::size_t i = 0; i < count; i += 4) {
        if constexpr (first) {
            const std::byte* prefetchAt = window.addressFor(i * rows.rowBytes);
            for (std::size_t at = 0; at < 4 * rows.rowBytes; at += kLine) {
                __builtin_prefetch(prefetchAt + at);
            }
        } else {
            prefetchLine(upcoming);
            prefetchLine(upcoming);
        }
        __m512i rowCodes[4]; // missing rows are replaced by other codes, whose weights are zero
        const std::byte* row = group + i * rows.rowBytes;
#pragma GCC unroll 4
        for (std::size_t r = 0; r < 4; ++r) {
            rowCodes[r] = loadCodes<both>(i + r < count ? row + r * rows.rowBytes : group);
        }
        // Interleaves the rows a … d so that evenCodes() and oddCodes() give pairs of rows. In each group of 16 bytes:
        //
        //   evenLow    a0 c0 a1 c1 a2 c2 a3 c3 … a7 c7          evenHigh: codes 8 … 15
        //   oddLow     b0 d0 b1 d1 b2 d2 b3 d3 … b7 d7
        //   codes[0]   a0 c0 b0 d0   a1 c1 b1 d1   …   a3 c3 b3 d3
        //   evenCodes  a0 b0         a1 b1                      oddCodes: c0 d0   c1 d1 …
        const __m512i evenLow = _mm512_unpacklo_epi8(rowCodes[0], rowCodes[2]);
        const __m512i evenHigh = _mm512_unpackhi_epi8(rowCodes[0], rowCodes[2]);
        const __m512i oddLow = _mm512_unpacklo_epi8(rowCodes[1], rowCodes[3]);
        const __m512i oddHigh = _mm512_unpackhi_epi8(rowCodes[1], rowCodes[3]);
        const __m512i codes[4] = {_mm512_unpacklo_epi16(evenLow, oddLow), _mm512_unpackhi_epi16(evenLow, oddLow),
                                  _mm512_unpacklo_epi16(evenHigh, oddHigh), _mm512_unpackhi_epi16(evenHigh, oddHigh)};
#pragma GCC unroll 2
        for (std::size_t pair = 0; pair < 2; ++pair) {
            __m512i weight[queryCount];
#pragma GCC unroll 4
            for (std::size_t q = 0; q < queryCount; ++q) {
                weight[q] = _mm512_mask_set1_epi32(_mm512_set1_epi32(weights.pairs[q][0][i / 2 + pair]), 0xFF00,
                                                   weights.pairs[q][1][i / 2 + pair]);
            }
#pragma GCC unroll 4
            for (std::size_t k = 0; k < 4; ++k) {
                const __m512i part = pair == 0 ? evenCodes(codes[k]) : oddCodes(codes[k]);
#pragma GCC unroll 4
                for (std::size_t q = 0; q < queryCount; ++q) {
                    totals[q][k] = _mm512_dpwssd_epi32(totals[q][k], part, weight[q]);
                }
            }
        }
    }
    // Vector k has the elements 4 k … 4 k + 3 and 16 + 4 k … of the first group, then the same of the second.
#pragma GCC unroll 4
    for (std::size_t q = 0; q < queryCount; ++q) {
        float each[2 * kGroup];
#pragma GCC unroll 4
        for (std::size_t k = 0; k < 4; ++k) {
            const __m512 scale =
                _mm512_mask_mov_ps(_mm512_set1_ps(weights.scales[q][0]), 0xFF00, _mm512_set1_ps(weights.scales[q][1]));
            const __m512 values = _mm512_mul_ps(_mm512_cvtepi32_ps(totals[q][k]), scale);
            _mm_storeu_ps(each + 4 * k, _mm512_castps512_ps128(values));
            _mm_storeu_ps(each + 16 + 4 * k, _mm512_extractf32x4_ps(values, 1));
            _mm_storeu_ps(each + 32 + 4 * k, _mm512_extractf32x4_ps(values, 2));
            _mm_storeu_ps(each + 48 + 4 * k, _mm512_extractf32x4_ps(values, 3));
        }
        float* to = sums + q * rows.length + j;
        for (std::size_t e = 0; e < elements; ++e) {
            to[e] += each[e];
        }
    }
}

// The same, after rounding the weights of `queryCount` queries.
template<std::size_t queryCount, bool first>
void roundAndGather(const CachedRows& rows, std::size_t count, std::size_t j, const float (&scales)[2][kRows],
                    const float* weights, std::size_t stride, float* sums, const PrefetchWindow& window,
                    PrefetchRange& upcoming) {
    const std::size_t elements = smaller(2 * kGroup, rows.length - j);
    RoundedWeights rounded;
    for (std::size_t q = 0; q < queryCount; ++q) {
        for (std::size_t g = 0; g < 2; ++g) {
            roundWeights(weights + q * stride, scales[g], count, rounded.pairs[q][g], rounded.scales[q][g]);
        }
    }
    if (elements > kGroup) {
        gatherGroups<queryCount, true, first>(rows, count, j, elements, rounded, sums, window, upcoming);
    } else {
        gatherGroups<queryCount, false, first>(rows, count, j, elements, rounded, sums, window, upcoming);
    }
}

void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    PrefetchRange upcoming = rows.upcoming != nullptr ? *rows.upcoming : PrefetchRange();
    for (std::size_t at = 0; at < count; at += kRows) {
        const std::size_t pieceRows = smaller(kRows, count - at);
        const CachedRows piece{
            .data = rows.data + at * rows.rowBytes, .rowBytes = rows.rowBytes, .length = rows.length};
        const std::size_t before = at * rows.rowBytes;
        const PrefetchWindow window{rows.data + before, count * rows.rowBytes - before, rows.next};
        for (std::size_t j = 0; j < rows.length; j += 2 * kGroup) {
            float scales[2][kRows]{};
            loadScales(piece, pieceRows, j / kGroup, scales[0]);
            if (j + kGroup < rows.length) {
                loadScales(piece, pieceRows, j / kGroup + 1, scales[1]);
            }
            std::size_t q = 0;
            const auto runGroups = [&]<std::size_t together>(std::integral_constant<std::size_t, together> /*count*/) {
                for (; q + together <= queryCount; q += together) {
                    const float* groupWeights = weights + q * stride + at;
                    float* to = sums + q * rows.length;
                    if (q == 0 && j == 0) {
                        roundAndGather<together, true>(piece, pieceRows, j, scales, groupWeights, stride, to, window,
                                                       upcoming);
                    } else {
                        roundAndGather<together, false>(piece, pieceRows, j, scales, groupWeights, stride, to, window,
                                                        upcoming);
                    }
                }
            };
            runGroups(std::integral_constant<std::size_t, kTogether>());
            runGroups(std::integral_constant<std::size_t, 1>());
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
