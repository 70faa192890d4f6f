// Attention over F16, which the KV cache stores as 16-bit integers (tensor/kernels/attention.h). Queries, and attention
// weights × row scales, are rounded to int16, kDepth at a time, so that the dot product of a block fits in int32. The
// error of each is at most 2^-12 of their root mean square.
#include "tensor/kernels/avx512/integer_sums.h"
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/codes16.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

#include <array>
#include <type_traits>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kDepth = kBlock16; // products that are summed in 32 bits
constexpr std::size_t kElements = 512;   // elements of keys that are multiplied at a time, a multiple of kDepth
constexpr std::size_t kMinRows = 8;      // the fewest rows that are worth transposing
constexpr std::size_t kMaxFactors = 88;  // blocks of factors, which are on the stack of each thread

// The factors of a group of queries for one block, in pairs.
struct Factors {
    alignas(64) std::int32_t pairs[kGathered][kDepth / 2];
    float units[kGathered];
};

// Rounds factors such that the root of the sum of their squares is at most 16,300. Then none is larger, and the sum of
// the magnitudes of kDepth factors is less than 2^17, which times 2^14 fits in 32 bits. They are multiplied by `scales`
// before, if there are any. Factors beyond `count` are zero. If one is not finite, all results will be NaN.
template<std::size_t queries>
[[gnu::noinline]] void roundFactors(const float* from, std::size_t stride, const float* scales, std::size_t count,
                                    Factors& out) {
    constexpr float kNorm = 16'300;
    constexpr std::size_t kVectors = kDepth / 16;
    alignas(64) float products[queries][kDepth];
    __m512 squares[queries]{};
    for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t rowCount = count > 16 * v ? smaller(count - 16 * v, 16) : 0;
        const auto lanes = static_cast<__mmask16>((1U << rowCount) - 1);
        const __m512 scale = scales != nullptr ? _mm512_maskz_loadu_ps(lanes, scales + 16 * v) : _mm512_set1_ps(1);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m512 product = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, from + q * stride + 16 * v), scale);
            _mm512_store_ps(products[q] + 16 * v, product);
            squares[q] = _mm512_fmadd_ps(product, product, squares[q]);
        });
    }
    __m512 inverses[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const float sum = _mm512_reduce_add_ps(squares[q]);
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
        inverses[q] = _mm512_set1_ps(isFinite && root > 1e-20F ? kNorm / root : 0);
    });
    const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    for (std::size_t i = 0; i < kDepth; i += 32) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const float* const each = products[q] + i;
            const __m512i low = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_load_ps(each), inverses[q]));
            const __m512i high = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_load_ps(each + 16), inverses[q]));
            _mm512_store_si512(out.pairs[q] + i / 2, _mm512_permutexvar_epi64(order, _mm512_packs_epi32(low, high)));
        });
    }
}

// --- scores

// Returns the scales of sixteen exponents, as scaleOfExponent() does.
inline __m512 scalesOf(__m512i exponents) {
    constexpr int kShift = kCodeBits - 1;
    const __mmask16 useful = _mm512_cmpgt_epi32_mask(exponents, _mm512_set1_epi32(kShift));
    const __m512i bits = _mm512_maskz_slli_epi32(useful, _mm512_sub_epi32(exponents, _mm512_set1_epi32(kShift)), 23);
    const __mmask16 none = _mm512_cmpeq_epi32_mask(exponents, _mm512_set1_epi32(kNoExponent));
    return _mm512_castsi512_ps(_mm512_mask_mov_epi32(bits, none, _mm512_set1_epi32(0x7FC0'0000)));
}

// The scales of the rows of a tile in a block, from its first two pairs of codes.
inline __m512 scalesOfBlock(const std::byte* pairs) {
    const __m512i first = load64(pairs);
    const __m512i second = load64(pairs + 4 * kTileRows);
    const auto bits = [](__m512i codes, int mask) { return _mm512_and_si512(codes, _mm512_set1_epi32(mask)); };
    const __m512i low = _mm512_or_si512(bits(first, 3), bits(_mm512_srli_epi32(first, 14), 0x0C));
    const __m512i high =
        _mm512_or_si512(_mm512_slli_epi32(bits(second, 3), 4), bits(_mm512_srli_epi32(second, 10), 0xC0));
    return scalesOf(_mm512_or_si512(low, high));
}

// Two tiles from some block on.
using TwoTiles = std::array<const std::byte*, 2>;

// Computes the scores of two tiles and a group of queries over `length` elements: to[q × stride + row]. Prefetches
// `lines` cache lines for each two that are read.
template<std::size_t queries, std::size_t lines>
void scoreTwo(const TwoTiles& tiles, std::size_t length, const Factors* factors, float* to, std::size_t stride,
              const std::byte* prefetchAt) {
    __m512 totals[queries][2]{};
    for (std::size_t begin = 0; begin < length; begin += kDepth, ++factors) {
        const std::size_t pairs = (smaller(kDepth, length - begin) + 1) / 2;
        const std::byte* at[2] = {tiles[0] + begin * 2 * kTileRows, tiles[1] + begin * 2 * kTileRows};
        const __m512 scales[2] = {scalesOfBlock(at[0]), scalesOfBlock(at[1])};
        __m512i sums[queries][2]{};
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            unrolled(Times<lines>(), [&](std::size_t i) GUFO_INLINE { prefetchFar(prefetchAt + i * kLine); });
            prefetchAt += lines * kLine;
            const __m512i codes[2] = {load64(at[0]), load64(at[1])};
            unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
                const __m512i two = _mm512_set1_epi32(factors->pairs[q][pair]);
                addProducts(sums[q][0], codes[0], two);
                addProducts(sums[q][1], codes[1], two);
            });
            at[0] += 4 * kTileRows;
            at[1] += 4 * kTileRows;
        }
        unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE {
            const __m512 unit = _mm512_mul_ps(scales[i % 2], _mm512_set1_ps(factors->units[i / 2]));
            __m512& total = totals[i / 2][i % 2];
            total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[i / 2][i % 2]), unit, total);
        });
    }
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE {
        _mm512_storeu_ps(to + i / 2 * stride + i % 2 * kTileRows, totals[i / 2][i % 2]);
    });
}

// Computes the scores of rows [first, end) over the elements [begin, begin + length), for as many queries as
// kMaxFactors allows. The first call (begin = 0) sets the scores, later ones add to them. tilesAt(row) returns the tile
// that begins with this row, and the one after it or the same again; prefetchFor(row) what to prefetch meanwhile.
template<typename TilesAt, typename PrefetchFor>
void scoreElements(std::size_t first, std::size_t end, std::size_t begin, std::size_t length, const float* queries,
                   std::size_t queryLength, std::size_t queryCount, float* scores, std::size_t stride,
                   const TilesAt& tilesAt, const PrefetchFor& prefetchFor) {
    Factors factors[kMaxFactors];
    const std::size_t blocks = (length + kDepth - 1) / kDepth;
    std::size_t group = 0;
    forGathered(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
        for (std::size_t b = 0; b < blocks; ++b) {
            roundFactors<together>(queries + q * queryLength + begin + b * kDepth, queryLength, nullptr,
                                   smaller(kDepth, length - b * kDepth), factors[group * blocks + b]);
        }
        ++group;
    });
    for (std::size_t row = 0; row < end; row += 2 * kTileRows) {
        const TwoTiles tiles = tilesAt(row);
        const std::byte* const prefetchAt = prefetchFor(row);
        const bool whole = begin == 0 && row >= first && row + 2 * kTileRows <= end;
        group = 0;
        forGathered(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
            float each[together * 2 * kTileRows];
            float* const to = whole ? scores + q * stride + row - first : each;
            // The first two groups prefetch half each, because more lines at a time would wait for each other.
            const auto score = q + together == queryCount && q == 0 ? scoreTwo<together, 2>
                               : group < 2                          ? scoreTwo<together, 1>
                                                                    : scoreTwo<together, 0>;
            score(tiles, length, factors + group * blocks, to, whole ? stride : 2 * kTileRows,
                  prefetchAt + (group == 1 ? (length + 1) / 2 * kLine : 0));
            ++group;
            if (!whole) {
                const std::size_t from = row > first ? row : first;
                const std::size_t stop = smaller(end, row + 2 * kTileRows);
                for (std::size_t k = 0; k < together; ++k) {
                    float* const place = scores + (q + k) * stride + from - first;
                    const float* const values = each + k * 2 * kTileRows + from - row;
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
        // The last groups have fewer than kGathered queries, and there are up to three of them.
        const std::size_t atOnce = (kMaxFactors / ((piece + kDepth - 1) / kDepth) - 3) * kGathered;
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
        const auto tilesAt = [&](std::size_t row) {
            const std::byte* const one = tiles.data + row / kTileRows * tiles.bytes;
            const std::byte* const two = row + kTileRows < end ? one + tiles.bytes : one;
            const std::size_t at = 2 * kTileRows * begin;
            return TwoTiles{one + at, two + at};
        };
        const auto prefetchFor = [&](std::size_t row) {
            return window.addressFor(row / kTileRows * tiles.bytes) + 4 * kTileRows * begin;
        };
        scoreElements(first, end, begin, length, queries + q * tiles.length, tiles.length, chunk, scores + q * stride,
                      stride, tilesAt, prefetchFor);
    });
}

// Transposes the first `rowCount` of kTileRows rows to pairs of codes of a tile. `count` codes of each are read, an
// even number.
void packTile(const std::byte* codes, std::size_t rowBytes, std::size_t rowCount, std::size_t count, std::byte* pairs) {
    for (std::size_t j = 0; j < count; j += 2 * kTileRows) {
        const std::size_t dwords = smaller((count - j) / 2, kTileRows);
        const auto lanes = static_cast<__mmask16>((1U << dwords) - 1);
        __m512i rows[kTileRows];
        for (std::size_t i = 0; i < kTileRows; ++i) {
            rows[i] = _mm512_maskz_loadu_epi32(lanes, codes + (i < rowCount ? i : 0) * rowBytes + 2 * j);
        }
        transpose(rows, [&](int column) { return pairs + (j / 2 + static_cast<std::size_t>(column)) * 4 * kTileRows; });
    }
}

void score(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    if (count < kMinRows) {
        scoreF16AsFloats(rows, count, queries, queryCount, scores, stride);
        return;
    }
    alignas(64) std::byte packed[2][2 * kTileRows * kElements];
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    forElements(rows.length, queryCount, [&](std::size_t begin, std::size_t length, std::size_t q, std::size_t chunk) {
        const auto tilesAt = [&](std::size_t row) {
            const std::size_t rowCount = smaller(count - row, 2 * kTileRows);
            for (std::size_t t = 0; t < 2 && t * kTileRows < rowCount; ++t) {
                const std::byte* const codes = rows.data + (row + t * kTileRows) * rows.rowBytes + 2 * begin;
                packTile(codes, rows.rowBytes, smaller(rowCount - t * kTileRows, kTileRows), codesOfRow16(length),
                         packed[t]);
            }
            return TwoTiles{packed[0], packed[rowCount > kTileRows ? 1 : 0]};
        };
        const auto prefetchFor = [&](std::size_t row) {
            return window.addressFor(row * rows.rowBytes) + 4 * kTileRows * begin;
        };
        scoreElements(0, count, begin, length, queries + q * rows.length, rows.length, chunk, scores + q * stride,
                      stride, tilesAt, prefetchFor);
    });
}

// --- sums of values

constexpr std::size_t kColumns = 32;               // that are summed together
constexpr std::size_t kMaxQueries = 8 * kGathered; // gathered at a time
constexpr std::size_t kMaxGroups = kMaxQueries / kGathered + 3;

// Adds `count` rows, times the factors of `queries` queries, to the sums of the first `elements` of kColumns columns.
// `codes` points to the first row. Prefetches `lines` cache lines for each two that are read.
template<std::size_t queries, bool whole, std::size_t lines>
void gatherColumns(const std::byte* codes, std::size_t rowBytes, std::size_t count, std::size_t elements,
                   const Factors& factors, float* sums, std::size_t stride, const std::byte* prefetchAt) {
    __m512i totals[queries][2];
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE { totals[i / 2][i % 2] = _mm512_setzero_si512(); });
    const auto rowCount = static_cast<__mmask16>((1U << (elements + 1) / 2) - 1); // rows are padded to an even length
    const auto load = [&](const std::byte* from) GUFO_INLINE {
        __m512i row = whole ? load64(from) : _mm512_maskz_loadu_epi32(rowCount, from);
        asm("" : "+v"(row)); // GCC would load it twice
        return row;
    };
    const std::size_t pairs = (count + 1) / 2;
#pragma GCC unroll 4
    for (std::size_t pair = 0; pair < pairs; ++pair, codes += 2 * rowBytes) {
        unrolled(Times<lines>(), [&](std::size_t i) GUFO_INLINE { prefetchFar(prefetchAt + i * kLine); });
        prefetchAt += lines * kLine;
        const __m512i a = load(codes);
        const __m512i b = load(2 * pair + 1 < count ? codes + rowBytes : codes); // a missing row has the factor 0
        const __m512i low = _mm512_unpacklo_epi16(a, b);
        const __m512i high = _mm512_unpackhi_epi16(a, b);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const __m512i two = _mm512_set1_epi32(factors.pairs[q][pair]);
            addProducts(totals[q][0], low, two);
            addProducts(totals[q][1], high, two);
        });
    }
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const __m512 unit = _mm512_set1_ps(factors.units[q]);
        const auto add = [&](float* to, __mmask16 lanes, __m512i sum) GUFO_INLINE {
            const __m512 before = whole ? _mm512_loadu_ps(to) : _mm512_maskz_loadu_ps(lanes, to);
            const __m512 after = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), unit, before);
            whole ? _mm512_storeu_ps(to, after) : _mm512_mask_storeu_ps(to, lanes, after);
        };
        const std::uint32_t lanes = whole ? ~0U : (1U << elements) - 1;
        add(sums + q * stride, static_cast<__mmask16>(lanes), columnsOf<0>(totals[q][0], totals[q][1]));
        add(sums + q * stride + 16, static_cast<__mmask16>(lanes >> 16U), columnsOf<1>(totals[q][0], totals[q][1]));
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
            forGathered(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
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
            forGathered(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
                // The first two groups prefetch half each, because more lines at a time would wait for each other.
                const std::size_t lines = together == queryCount ? 2 : group < 2 ? 1 : 0;
                const auto run = [&]<bool whole>(std::bool_constant<whole> /*whole*/) {
                    const auto gather = lines == 2   ? gatherColumns<together, whole, 2>
                                        : lines == 1 ? gatherColumns<together, whole, 1>
                                                     : gatherColumns<together, whole, 0>;
                    gather(block + 2 * j, rows.rowBytes, blockCount, elements, factors[group],
                           sums + q * rows.length + j, rows.length,
                           prefetchAt + kLine * (blockPairs * (group == 1 ? 1 : 0)));
                };
                elements == kColumns ? run(std::true_type()) : run(std::false_type());
                ++group;
            });
            prefetchAt += 2 * blockPairs * kLine;
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

} // namespace gufo::avx512
