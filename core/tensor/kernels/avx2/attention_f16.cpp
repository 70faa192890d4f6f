// Attention over F16, which the KV cache stores as 16-bit integers (tensor/kernels/attention.h). Queries, and attention
// weights × row scales, are rounded to int16, kDepth at a time, so that the dot product of a block fits in int32. The
// error of each is at most 2^-12 of their root mean square.
#include "tensor/kernels/avx2/integer_sums.h"
#include "tensor/kernels/avx2/tiles.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/codes16.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

#include <cstring>
#include <type_traits>

namespace gufo::avx2 {
namespace {

constexpr std::size_t kDepth = kBlock16; // products that are summed in 32 bits
constexpr std::size_t kElements = 512;   // elements of keys that are multiplied at a time, a multiple of kDepth
constexpr std::size_t kMinRows = 8;      // the fewest rows that are worth transposing
constexpr std::size_t kMaxFactors = 144; // blocks of factors, which are on the stack of each thread

// The factors of a group of queries for one block, in pairs.
struct Factors {
    alignas(32) std::int32_t pairs[kTogether][kDepth / 2];
    float units[kTogether];
};

float sumOfLanes(__m256 v) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

// Rounds factors such that the root of the sum of their squares is at most 16,300. Then none is larger, and the sum of
// the magnitudes of kDepth factors is less than 2^17, which times 2^14 fits in 32 bits. They are multiplied by `scales`
// before, if there are any. Factors beyond `count` are zero. If one is not finite, all results will be NaN.
template<std::size_t queries>
[[gnu::noinline]] void roundFactors(const float* from, std::size_t stride, const float* scales, std::size_t count,
                                    Factors& out) {
    constexpr float kNorm = 16'300;
    alignas(32) float products[queries][kDepth];
    __m256 squares[queries]{};
    const auto multiply = [&](std::size_t i, const auto& load) GUFO_INLINE {
        const __m256 scale = scales != nullptr ? load(scales + i) : _mm256_set1_ps(1);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m256 product = _mm256_mul_ps(load(from + q * stride + i), scale);
            _mm256_store_ps(products[q] + i, product);
            squares[q] = _mm256_fmadd_ps(product, product, squares[q]);
        });
    };
    for (std::size_t i = 0; i < kDepth; i += 8) {
        if (i + 8 <= count) {
            multiply(i, [](const float* at) GUFO_INLINE { return _mm256_loadu_ps(at); });
        } else if (i < count) {
            const __m256i lanes = firstLanes(count - i);
            multiply(i, [&](const float* at) GUFO_INLINE { return _mm256_maskload_ps(at, lanes); });
        } else {
            unrolled(Times<queries>(),
                     [&](std::size_t q) GUFO_INLINE { _mm256_store_ps(products[q] + i, _mm256_setzero_ps()); });
        }
    }
    __m256 inverses[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const float sum = sumOfLanes(squares[q]);
        float root = __builtin_sqrtf(sum);
        if (!(sum < 1e36F)) [[unlikely]] { // the squares of some are too large
            float largest = 0;
            for (std::size_t i = 0; i < kDepth && largest == largest; ++i) {
                const float magnitude = __builtin_fabsf(products[q][i]);
                largest = magnitude <= largest ? largest : magnitude; // NaN, too
            }
            root = largest * __builtin_sqrtf(float{kDepth});
        }
        const bool isFinite = root < 1e38F;
        out.units[q] = isFinite ? root / kNorm : __builtin_nanf("");
        inverses[q] = _mm256_set1_ps(isFinite && root > 1e-20F ? kNorm / root : 0);
    });
    for (std::size_t i = 0; i < kDepth; i += 16) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m256i codes = rounded16(products[q] + i, inverses[q]);
            _mm256_store_si256(reinterpret_cast<__m256i*>(out.pairs[q] + i / 2), codes);
        });
    }
}

// --- scores

// The scales of eight rows of a tile in a block, from their first two pairs of codes, as scaleOfCodes() does.
inline __m256 scalesOf(const std::byte* pairs) {
    const __m256i first = load32(pairs);
    const __m256i second = load32(pairs + 4 * kTileRows);
    const auto bits = [](__m256i codes, int mask) { return _mm256_and_si256(codes, _mm256_set1_epi32(mask)); };
    const __m256i low = _mm256_or_si256(bits(first, 3), bits(_mm256_srli_epi32(first, 14), 0x0C));
    const __m256i high =
        _mm256_or_si256(_mm256_slli_epi32(bits(second, 3), 4), bits(_mm256_srli_epi32(second, 10), 0xC0));
    const __m256i exponents = _mm256_or_si256(low, high);
    const __m256i shift = _mm256_set1_epi32(kCodeBits - 1);
    const __m256i power = _mm256_slli_epi32(_mm256_sub_epi32(exponents, shift), 23);
    const __m256i none = _mm256_cmpeq_epi32(exponents, _mm256_set1_epi32(kNoExponent));
    return _mm256_castsi256_ps(_mm256_blendv_epi8(_mm256_and_si256(power, _mm256_cmpgt_epi32(exponents, shift)),
                                                  _mm256_set1_epi32(0x7FC0'0000), none));
}

// Computes the scores of a tile and a group of queries over `length` elements: to[q × stride + row]. Prefetches
// `lines` cache lines for each two that are read.
template<std::size_t queries, std::size_t lines>
void scoreTile(const std::byte* codes, std::size_t length, const Factors* factors, float* to, std::size_t stride,
               const std::byte* prefetchAt) {
    __m256 totals[queries][2]{};
    for (std::size_t begin = 0; begin < length; begin += kDepth, ++factors) {
        const std::size_t pairs = (smaller(kDepth, length - begin) + 1) / 2;
        const __m256 scales[2] = {scalesOf(codes), scalesOf(codes + 32)};
        __m256i sums[queries][2]{};
        const auto add = [&](std::size_t pair) GUFO_INLINE {
            if (lines == 2 || (lines == 1 && pair % 2 == 0)) {
                prefetchFar(prefetchAt);
                prefetchAt += kLine;
            }
            const __m256i rows[2] = {load32(codes), load32(codes + 32)};
            unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
                const __m256i two = _mm256_set1_epi32(factors->pairs[q][pair]);
                addProducts(sums[q][0], rows[0], two);
                addProducts(sums[q][1], rows[1], two);
            });
            codes += 4 * kTileRows;
        };
        if (pairs == kDepth / 2) [[likely]] {
#pragma GCC unroll 8
            for (std::size_t pair = 0; pair < kDepth / 2; ++pair) {
                add(pair);
            }
        } else {
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                add(pair);
            }
        }
        unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE {
            const __m256 unit = _mm256_mul_ps(scales[i % 2], _mm256_set1_ps(factors->units[i / 2]));
            __m256& total = totals[i / 2][i % 2];
            total = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sums[i / 2][i % 2]), unit, total);
        });
    }
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE {
        _mm256_storeu_ps(to + i / 2 * stride + i % 2 * 8, totals[i / 2][i % 2]);
    });
}

// Computes the scores of rows [first, end) over the elements [begin, begin + length), for as many queries as
// kMaxFactors allows. The first call (begin = 0) sets the scores, later ones add to them. tileAt(row) returns the tile
// that begins with this row; prefetchFor(row) what to prefetch meanwhile.
template<typename TileAt, typename PrefetchFor>
void scoreElements(std::size_t first, std::size_t end, std::size_t begin, std::size_t length, const float* queries,
                   std::size_t queryLength, std::size_t queryCount, float* scores, std::size_t stride,
                   const TileAt& tileAt, const PrefetchFor& prefetchFor) {
    Factors factors[kMaxFactors];
    const std::size_t blocks = (length + kDepth - 1) / kDepth;
    std::size_t group = 0;
    forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
        for (std::size_t b = 0; b < blocks; ++b) {
            roundFactors<together>(queries + q * queryLength + begin + b * kDepth, queryLength, nullptr,
                                   smaller(kDepth, length - b * kDepth), factors[group * blocks + b]);
        }
        ++group;
    });
    for (std::size_t row = 0; row < end; row += kTileRows) {
        const std::byte* const tile = tileAt(row);
        const std::byte* const prefetchAt = prefetchFor(row);
        const bool whole = begin == 0 && row >= first && row + kTileRows <= end;
        group = 0;
        forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
            float each[together * kTileRows];
            float* const to = whole ? scores + q * stride + row - first : each;
            // The first two groups prefetch half each, because more lines at a time would wait for each other.
            const auto score = q + together == queryCount && q == 0 ? scoreTile<together, 2>
                               : group < 2                          ? scoreTile<together, 1>
                                                                    : scoreTile<together, 0>;
            score(tile, length, factors + group * blocks, to, whole ? stride : kTileRows,
                  prefetchAt + (group == 1 ? (length + 3) / 4 * kLine : 0));
            ++group;
            if (!whole) {
                const std::size_t from = row > first ? row : first;
                const std::size_t stop = smaller(end, row + kTileRows);
                for (std::size_t k = 0; k < together; ++k) {
                    float* const place = scores + (q + k) * stride + from - first;
                    const float* const values = each + k * kTileRows + from - row;
                    for (std::size_t i = 0; i < stop - from; ++i) {
                        place[i] = begin == 0 ? values[i] : place[i] + values[i];
                    }
                }
            }
        });
    }
}

// Calls work(begin, length, q, count) for pieces of the elements, and for as many queries at a time as kMaxFactors
// allows.
template<typename Work>
void forElements(std::size_t length, std::size_t queryCount, const Work& work) {
    for (std::size_t begin = 0; begin < length; begin += kElements) {
        const std::size_t piece = smaller(length - begin, kElements);
        // The last groups have fewer than kTogether queries, and there are up to two of them.
        const std::size_t atOnce = (kMaxFactors / ((piece + kDepth - 1) / kDepth) - 2) * kTogether;
        for (std::size_t q = 0; q < queryCount; q += atOnce) {
            work(begin, piece, q, smaller(atOnce, queryCount - q));
        }
    }
}

void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    const std::size_t end = first + count;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next};
    forElements(tiles.length, queryCount, [&](std::size_t begin, std::size_t length, std::size_t q, std::size_t chunk) {
        const auto tileAt = [&](std::size_t row) {
            return tiles.data + row / kTileRows * tiles.bytes + 2 * kTileRows * begin;
        };
        const auto prefetchFor = [&](std::size_t row) {
            return window.addressFor(row / kTileRows * tiles.bytes) + 2 * kTileRows * begin;
        };
        scoreElements(first, end, begin, length, queries + q * tiles.length, tiles.length, chunk, scores + q * stride,
                      stride, tileAt, prefetchFor);
    });
}

// Transposes the first `rowCount` of kTileRows rows to pairs of codes of a tile. `count` codes of each are read, an
// even number.
void packTile(const std::byte* codes, std::size_t rowBytes, std::size_t rowCount, std::size_t count, std::byte* pairs) {
    constexpr std::size_t kRows = 8;
    for (std::size_t j = 0; j < count; j += 2 * kRows) {
        const __m256i lanes = firstLanes((count - j) / 2);
        for (std::size_t half = 0; half < 2; ++half) {
            __m256i rows[kRows];
            __m256i columns[kRows];
            for (std::size_t i = 0; i < kRows; ++i) {
                const std::size_t row = half * kRows + i < rowCount ? half * kRows + i : 0;
                rows[i] = _mm256_maskload_epi32(reinterpret_cast<const int*>(codes + row * rowBytes + 2 * j), lanes);
            }
            transpose(rows, columns);
            for (std::size_t column = 0; column < kRows; ++column) {
                std::memcpy(pairs + (j / 2 + column) * 4 * kTileRows + half * 32, columns + column, 32);
            }
        }
    }
}

void score(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    if (count < kMinRows) {
        scoreF16AsFloats(rows, count, queries, queryCount, scores, stride);
        return;
    }
    alignas(64) std::byte packed[2 * kTileRows * kElements];
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    forElements(rows.length, queryCount, [&](std::size_t begin, std::size_t length, std::size_t q, std::size_t chunk) {
        const auto tileAt = [&](std::size_t row) {
            const std::size_t rowCount = smaller(count - row, kTileRows);
            const std::byte* const from = rows.data + row * rows.rowBytes;
            packTile(from + 2 * begin, rows.rowBytes, rowCount, codesOfRow16(length), packed);
            return static_cast<const std::byte*>(packed);
        };
        const auto prefetchFor = [&](std::size_t row) {
            return window.addressFor(row * rows.rowBytes) + 2 * kTileRows * begin;
        };
        scoreElements(0, count, begin, length, queries + q * rows.length, rows.length, chunk, scores + q * stride,
                      stride, tileAt, prefetchFor);
    });
}

// --- sums of values

constexpr std::size_t kColumns = 16;                // that are summed together
constexpr std::size_t kMaxQueries = 16 * kTogether; // gathered at a time
constexpr std::size_t kMaxGroups = kMaxQueries / kTogether + 2;

// Adds `count` rows, times the factors of `queries` queries, to the sums of the first `elements` of kColumns columns.
// `codes` points to the first row. Prefetches `lines` cache lines for each two that are read.
template<std::size_t queries, bool whole, std::size_t lines>
void gatherColumns(const std::byte* codes, std::size_t rowBytes, std::size_t count, std::size_t elements,
                   const Factors& factors, float* sums, std::size_t stride, const std::byte* prefetchAt) {
    __m256i totals[queries][2];
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE { totals[i / 2][i % 2] = _mm256_setzero_si256(); });
    const __m256i rowCount = firstLanes((elements + 1) / 2); // rows are padded to an even length
    const auto load = [&](const std::byte* from) GUFO_INLINE {
        __m256i row = whole ? load32(from) : _mm256_maskload_epi32(reinterpret_cast<const int*>(from), rowCount);
        asm("" : "+x"(row)); // GCC would load it twice
        return row;
    };
    const std::size_t pairs = (count + 1) / 2;
#pragma GCC unroll 4
    for (std::size_t pair = 0; pair < pairs; ++pair, codes += 2 * rowBytes) {
        if (lines == 2 || (lines == 1 && pair % 2 == 0)) {
            prefetchFar(prefetchAt);
            prefetchAt += kLine;
        }
        const __m256i a = load(codes);
        const __m256i b = load(2 * pair + 1 < count ? codes + rowBytes : codes); // a missing row has the factor 0
        const __m256i low = _mm256_unpacklo_epi16(a, b);
        const __m256i high = _mm256_unpackhi_epi16(a, b);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m256i two = _mm256_set1_epi32(factors.pairs[q][pair]);
            addProducts(totals[q][0], low, two);
            addProducts(totals[q][1], high, two);
        });
    }
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const __m256 unit = _mm256_set1_ps(factors.units[q]);
        float* const to = sums + q * stride;
        addTo(to, elements, columnsOf<0>(totals[q][0], totals[q][1]), unit);
        addTo(to + 8, elements > 8 ? elements - 8 : 0, columnsOf<1>(totals[q][0], totals[q][1]), unit);
    });
}

// Adds rows to the sums of at most kMaxQueries queries.
void gatherRows(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                std::size_t queryCount, float* sums, const PrefetchWindow& window) {
    for (std::size_t first = 0; first < count; first += kDepth) {
        const std::byte* const block = rows.data + first * rows.rowBytes;
        const std::size_t blockCount = smaller(kDepth, count - first);
        const std::size_t blockPairs = (blockCount + 1) / 2;
        Factors factors[kMaxGroups];
        const auto roundWeights = [&](std::size_t j) { // for the columns of a block
            float scales[kDepth];
            for (std::size_t i = 0; i < blockCount; ++i) {
                scales[i] = scaleOfCodes(block + i * rows.rowBytes + 2 * j);
            }
            Factors* rounded = factors;
            forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
                roundFactors<together>(weights + q * stride + first, stride, scales, blockCount, *rounded++);
            });
        };
        const std::byte* prefetchAt = window.addressFor(first * rows.rowBytes);
        for (std::size_t j = 0; j < rows.length; j += kColumns) {
            if (j % kBlock16 == 0) {
                roundWeights(j);
            }
            const std::size_t elements = smaller(kColumns, rows.length - j);
            std::size_t group = 0;
            forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
                // The first two groups prefetch half each, because more lines at a time would wait for each other.
                const std::size_t lines = together == queryCount ? 2 : group < 2 ? 1 : 0;
                const auto run = [&]<bool whole>(std::bool_constant<whole> /*whole*/) {
                    const auto gather = lines == 2   ? gatherColumns<together, whole, 2>
                                        : lines == 1 ? gatherColumns<together, whole, 1>
                                                     : gatherColumns<together, whole, 0>;
                    gather(block + 2 * j, rows.rowBytes, blockCount, elements, factors[group],
                           sums + q * rows.length + j, rows.length,
                           prefetchAt + kLine * (group == 1 ? (blockPairs + 1) / 2 : 0));
                };
                elements == kColumns ? run(std::true_type()) : run(std::false_type());
                ++group;
            });
            prefetchAt += blockPairs * kLine;
        }
    }
}

void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    for (std::size_t q = 0; q < queryCount; q += kMaxQueries) {
        gatherRows(rows, count, weights + q * stride, stride, smaller(kMaxQueries, queryCount - q),
                   sums + q * rows.length, window);
    }
}

} // namespace

void installAttentionF16(AttentionKernels& kernels) {
    kernels.types[TensorType::F16] = {.score = score, .scoreTiles = scoreTiles, .gather = gather};
}

} // namespace gufo::avx2
