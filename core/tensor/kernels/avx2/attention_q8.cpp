// Attention over Q8_0 with products of codes and 16-bit integers: an instruction computes sixteen products and adds
// them in pairs. In floats every code would first have to be converted and multiplied by its scale. Queries are rounded
// to 16 bits in groups of 32, like the codes; weights are multiplied by the scales of the rows and rounded in blocks of
// rows. The error is a hundredth of the error of the codes themselves. avx512/attention_q8.cpp rounds alike.
#include "tensor/kernels/avx2/integer_sums.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

#include <cstring>
#include <immintrin.h>

namespace gufo::avx2 {
namespace {

constexpr std::size_t kGroup = 32;
constexpr std::size_t kGroupBytes = 34;
constexpr float kMaxValue = 32'767;

inline __m256 magnitudes(__m256 values) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), values); }
inline float inverseOf(float scale) { return scale > 0 ? 1 / scale : 0; }

float largestLane(__m256 v) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

// Groups of queries in 16 bits. Four elements x0 … x3 become the dwords [x0 x2] [x1 x3], in the order in which
// scoreTile() unpacks four codes.
constexpr std::size_t kGroups = 16; // groups processed at a time
struct RoundedQueries {
    std::int32_t pairs[kTogether][kGroups][kGroup / 2];
    float scales[kTogether][kGroups];
};

void roundQuery(const float* query, std::size_t length, std::size_t q, RoundedQueries& out) {
    for (std::size_t g = 0; g * kGroup < length; ++g) {
        float values[kGroup]{};
        std::memcpy(values, query + g * kGroup, smaller(kGroup, length - g * kGroup) * sizeof(float));
        __m256 largest = _mm256_setzero_ps();
        for (std::size_t i = 0; i < kGroup; i += 8) {
            largest = _mm256_max_ps(largest, magnitudes(_mm256_loadu_ps(values + i)));
        }
        const float scale = largestLane(largest) / kMaxValue;
        const __m128 inverse = _mm_set1_ps(inverseOf(scale));
        for (std::size_t i = 0; i < kGroup; i += 4) {
            const __m128i codes = _mm_cvtps_epi32(_mm_mul_ps(_mm_loadu_ps(values + i), inverse));
            const __m128i pairs = _mm_shufflelo_epi16(_mm_packs_epi32(codes, codes), _MM_SHUFFLE(3, 1, 2, 0));
            _mm_storel_epi64(reinterpret_cast<__m128i*>(out.pairs[q][g] + i / 2), pairs);
        }
        out.scales[q][g] = scale;
    }
}

// Computes the scores of a tile and `count` queries: to[q × stride + row]. The lanes of a vector are eight rows.
template<std::size_t count, bool first>
inline void scoreTile(const std::byte* tile, std::size_t groups, const RoundedQueries& queries, float* to,
                      std::size_t stride, const std::byte* prefetchAt, PrefetchRange& upcoming) {
    __m256 sums[count][2]{};
    for (std::size_t g = 0; g < groups; ++g, tile += kGroupBytes * kTileRows) {
        __m256i dots[count][2]{};
        const std::byte* codes = tile + 2 * kTileRows;
        for (std::size_t d = 0; d < kGroup / 4; ++d, codes += 4 * kTileRows) {
            if constexpr (first) {
                __builtin_prefetch(prefetchAt);
                prefetchAt += kLine;
            } else {
                prefetchLine(upcoming);
            }
            // Codes c0 … c3 of a row, sign-extended to 16 bits: c0 c2 and c1 c3.
            __m256i even[2];
            __m256i odd[2];
            unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
                const __m256i four = load32(codes + k * 32);
                even[k] = _mm256_srai_epi16(_mm256_slli_epi16(four, 8), 8);
                odd[k] = _mm256_srai_epi16(four, 8);
            });
            unrolled(Times<count>(), [&](std::size_t q) GUFO_INLINE {
                const __m256i x = _mm256_set1_epi32(queries.pairs[q][g][2 * d]);
                addProducts(dots[q][0], even[0], x);
                addProducts(dots[q][1], even[1], x);
                const __m256i y = _mm256_set1_epi32(queries.pairs[q][g][2 * d + 1]);
                addProducts(dots[q][0], odd[0], y);
                addProducts(dots[q][1], odd[1], y);
            });
        }
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            const __m256 scales =
                _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tile + k * kTileRows)));
            unrolled(Times<count>(), [&](std::size_t q) GUFO_INLINE {
                const __m256 scale = _mm256_mul_ps(scales, _mm256_set1_ps(queries.scales[q][g]));
                sums[q][k] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots[q][k]), scale, sums[q][k]);
            });
        });
    }
    unrolled(Times<count>(), [&](std::size_t q) GUFO_INLINE {
        _mm256_storeu_ps(to + q * stride, sums[q][0]);
        _mm256_storeu_ps(to + q * stride + 8, sums[q][1]);
    });
}

// Computes scoreTiles() for the columns [column, column + kGroups × 32). The first call (column = 0) sets the scores,
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
    const std::size_t offset = column / kGroup * kGroupBytes * kTileRows;
    const std::size_t end = firstRow + rows;
    // Into the L1 cache, which is faster here, because each line is multiplied for longer.
    constexpr std::size_t kNear = 8192;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next, kNear};
    for (std::size_t row = 0; row < end; row += kTileRows) {
        const std::size_t at = row / kTileRows * tiles.bytes;
        const std::byte* const prefetchAt = window.addressFor(at) + offset;
        const bool whole = column == 0 && row >= firstRow && row + kTileRows <= end;
        float each[count * kTileRows];
        scoreTile<count, first>(tiles.data + at + offset, groups, rounded, whole ? scores + row - firstRow : each,
                                whole ? stride : kTileRows, prefetchAt, upcoming);
        if (!whole) {
            const std::size_t begin = row > firstRow ? row : firstRow;
            const std::size_t stop = smaller(end, row + kTileRows);
            for (std::size_t q = 0; q < count; ++q) {
                float* to = scores + q * stride + begin - firstRow;
                const float* from = each + q * kTileRows + begin - row;
                for (std::size_t i = 0; i < stop - begin; ++i) {
                    to[i] = column == 0 ? from[i] : to[i] + from[i];
                }
            }
        }
    }
}

void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    PrefetchRange upcoming = tiles.upcoming != nullptr ? *tiles.upcoming : PrefetchRange();
    for (std::size_t column = 0; column < tiles.length; column += kGroups * kGroup) {
        forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
            const float* groupQueries = queries + q * tiles.length;
            float* to = scores + q * stride;
            if (q == 0) {
                scoreColumns<together, true>(tiles, first, count, column, groupQueries, to, stride, upcoming);
            } else {
                scoreColumns<together, false>(tiles, first, count, column, groupQueries, to, stride, upcoming);
            }
        });
    }
    if (tiles.upcoming != nullptr) {
        *tiles.upcoming = upcoming;
    }
}

// Rows that are summed in integers: a multiple of 16, and at most 516, beyond which sums could overflow. All passes
// over a block find it in the L1 cache, where the next one is prefetched, too.
constexpr std::size_t kMaxRows = 128;
constexpr std::size_t kMinRows = 32;
constexpr std::size_t kBlockBytes = 10'240;
constexpr std::size_t kColumns = 16; // columns that are summed together
constexpr std::size_t kStep = 8;     // rows between two prefetches

constexpr std::size_t blockRows(std::size_t rowBytes) {
    const std::size_t rows = kBlockBytes / rowBytes / 16 * 16;
    return rows > kMaxRows ? kMaxRows : rows < kMinRows ? kMinRows : rows;
}

// Weights times the scales of the rows of a block in 16 bits, in pairs of rows, for one group of columns.
struct RoundedWeights {
    alignas(32) std::int32_t pairs[kTogether][kMaxRows / 2];
    float scales[kTogether];
};

// Loads the scales of group g of `count` rows.
void loadScales(const CachedRows& rows, std::size_t count, std::size_t g, float (&scales)[kMaxRows]) {
    alignas(16) std::uint16_t halves[kMaxRows];
    const std::byte* from = rows.data + g * kGroupBytes;
    for (std::size_t i = 0; i < count; ++i, from += rows.rowBytes) {
        std::memcpy(halves + i, from, sizeof *halves);
    }
    std::memset(halves + count, 0, (kMaxRows - count) * sizeof *halves);
    for (std::size_t i = 0; i < count; i += 8) {
        _mm256_storeu_ps(scales + i, _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(halves + i))));
    }
}

// Rounds the weights of all queries together, so that none waits for the largest product of another.
template<std::size_t queries>
[[gnu::noinline]] void roundWeights(const float* weights, std::size_t stride, const float (&scales)[kMaxRows],
                                    std::size_t count, RoundedWeights& out) {
    alignas(32) float products[queries][kMaxRows];
    __m256 largest[queries]{};
    const auto multiply = [&](std::size_t i, const auto& load) GUFO_INLINE {
        const __m256 scale = _mm256_loadu_ps(scales + i);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m256 product = _mm256_mul_ps(load(weights + q * stride + i), scale);
            _mm256_store_ps(products[q] + i, product);
            largest[q] = _mm256_max_ps(largest[q], magnitudes(product));
        });
    };
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        multiply(i, [](const float* from) GUFO_INLINE { return _mm256_loadu_ps(from); });
    }
    if (i < count) {
        const __m256i lanes = firstLanes(count - i);
        multiply(i, [&](const float* from) GUFO_INLINE { return _mm256_maskload_ps(from, lanes); });
        i += 8;
    }
    if (i % 16 != 0) {
        unrolled(Times<queries>(),
                 [&](std::size_t q) GUFO_INLINE { _mm256_store_ps(products[q] + i, _mm256_setzero_ps()); });
    }
    __m256 inverses[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        out.scales[q] = largestLane(largest[q]) / kMaxValue;
        inverses[q] = _mm256_set1_ps(inverseOf(out.scales[q]));
    });
    for (i = 0; i < count; i += 16) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m256i codes = rounded16(products[q] + i, inverses[q]);
            _mm256_store_si256(reinterpret_cast<__m256i*>(out.pairs[q] + i / 2), codes);
        });
    }
}

// Adds `count` rows, times the weights of `queries` queries, to the sums of the first `elements` of kColumns columns.
// `codes` points to the first row.
template<std::size_t queries>
[[gnu::noinline]] void gatherColumns(const std::byte* codes, std::size_t rowBytes, std::size_t count,
                                     std::size_t elements, const RoundedWeights& weights, float* sums,
                                     std::size_t stride, BlockPrefetch& nextBlock) {
    __m256i totals[queries][2]{};
    const std::int32_t* pairs = &weights.pairs[0][0];
    const auto addRows = [&](const std::byte* second) GUFO_INLINE {
        const __m256i a = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)));
        const __m256i b = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(second)));
        const __m256i low = _mm256_unpacklo_epi16(a, b);
        const __m256i high = _mm256_unpackhi_epi16(a, b);
#pragma GCC unroll 8
        for (std::size_t q = 0; q < queries; ++q) {
            const __m256i pair = _mm256_set1_epi32(pairs[q * (kMaxRows / 2)]);
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
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const __m256 scale = _mm256_set1_ps(weights.scales[q]);
        float* const to = sums + q * stride;
        addTo(to, elements, columnsOf<0>(totals[q][0], totals[q][1]), scale);
        addTo(to + 8, elements > 8 ? elements - 8 : 0, columnsOf<1>(totals[q][0], totals[q][1]), scale);
    });
}

void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    PrefetchRange upcoming = rows.upcoming != nullptr ? *rows.upcoming : PrefetchRange();
    const std::size_t atOnce = blockRows(rows.rowBytes);
    const std::size_t passes =
        (rows.length + kColumns - 1) / kColumns * (queryCount / kTogether + (queryCount % kTogether + 1) / 2);
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
            forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
                RoundedWeights rounded;
                roundWeights<together>(weights + q * stride + first, stride, scales, blockCount, rounded);
                const std::byte* codes = block.data + j / kGroup * kGroupBytes + 2;
                for (std::size_t column = 0; column < smaller(kGroup, rows.length - j); column += kColumns) {
                    gatherColumns<together>(codes + column, rows.rowBytes, blockCount,
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

void installAttentionQ8(AttentionKernels& kernels) {
    auto& functions = kernels.types[TensorType::Q8_0];
    functions.scoreTiles = scoreTiles;
    functions.gather = gather;
}

} // namespace gufo::avx2
