// Attention over F16, which the KV cache stores as 16-bit integers (tensor/kernels/attention.h). Queries, and attention
// weights × row scales, are rounded to int16, kDepth at a time, so that the dot product of a block fits in int32. The
// error of each is at most 2^-12 of their root mean square.
//
// V is the vectors of an instruction set (avx2/attention_integers.cpp, avx512/attention_integers.cpp). A kernel works
// on two vectors at a time: a tile of 16 rows is two vectors of AVX2 or one of AVX-512, which takes two tiles.
// Everything has internal linkage.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/kernels/portable/codes16.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/x86/query_groups.h"

#include <type_traits>

namespace gufo::attention_f16 {
namespace {

constexpr std::size_t kDepth = kBlock16; // products that are summed in 32 bits
constexpr std::size_t kElements = 512;   // elements of keys that are multiplied at a time, a multiple of kDepth
constexpr std::size_t kMinRows = 8;      // the fewest rows that are worth transposing
constexpr std::size_t kMaxQueries = 64;  // whose factors for kElements are on the stack of each thread
template<typename V>
constexpr std::size_t kTogether = V::kTogether;
template<typename V>
constexpr std::size_t kRows = 2 * V::kLanes; // whose scores are computed together

// The factors of a group of queries for one block, in pairs.
template<typename V>
struct Factors {
    alignas(64) std::int32_t pairs[kTogether<V>][kDepth / 2];
    float units[kTogether<V>];
};

// Rounds factors such that the root of the sum of their squares is at most 16,300. Then none is larger, and the sum of
// the magnitudes of kDepth factors is less than 2^17, which times 2^14 fits in 32 bits. They are multiplied by `scales`
// before, if there are any. Factors beyond `count` are zero. If one is not finite, all results will be NaN.
template<typename V, std::size_t queries>
[[gnu::noinline]] void roundFactors(const float* from, std::size_t stride, const float* scales, std::size_t count,
                                    Factors<V>& out) {
    using Floats = typename V::Floats;
    constexpr float kNorm = 16'300;
    alignas(64) float products[queries][kDepth];
    Floats squares[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE { squares[q] = V::zero(); });
    const auto multiply = [&](std::size_t i, const auto& load) GUFO_INLINE {
        const Floats scale = scales != nullptr ? load(scales + i) : V::all(1.0F);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const Floats product = V::multiply(load(from + q * stride + i), scale);
            V::store(products[q] + i, product);
            squares[q] = V::multiplyAdd(product, product, squares[q]);
        });
    };
    for (std::size_t i = 0; i < kDepth; i += V::kLanes) {
        if (i + V::kLanes <= count) [[likely]] {
            multiply(i, [](const float* at) GUFO_INLINE { return V::load(at); });
        } else if (i < count) {
            multiply(i, [&](const float* at) GUFO_INLINE { return V::loadFirst(at, count - i); });
        } else {
            unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE { V::store(products[q] + i, V::zero()); });
        }
    }
    Floats inverses[queries];
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const float sum = V::sum(squares[q]);
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
        inverses[q] = V::all(isFinite && root > 1e-20F ? kNorm / root : 0.0F);
    });
    for (std::size_t i = 0; i < kDepth; i += 2 * V::kLanes) {
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const float* const each = products[q] + i;
            V::store(out.pairs[q] + i / 2, V::rounded16(V::load(each), V::load(each + V::kLanes), inverses[q]));
        });
    }
}

// Prefetches from `at` on while a pair of elements or rows is multiplied, for which kTiles lines are read: as many
// lines times `share` / 2.
template<typename V, std::size_t share>
[[gnu::always_inline]] inline void prefetchWith(std::size_t pair, const std::byte*& at) {
    constexpr std::size_t kHalves = V::kTiles * share;
    if constexpr (kHalves % 2 == 0) {
        unrolled(Times<kHalves / 2>(), [&](std::size_t i) GUFO_INLINE { prefetchFar(at + i * kLine); });
        at += kHalves / 2 * kLine;
    } else if (pair % 2 == 0) {
        prefetchFar(at);
        at += kLine;
    }
}

// --- scores

// The scales of the rows of a vector in a block, from their first two pairs of codes, as scaleOfCodes() does.
template<typename V>
[[gnu::always_inline]] inline typename V::Floats scalesOf(const std::byte* pairs) {
    using Ints = typename V::Ints;
    const Ints first = V::load(pairs);
    const Ints second = V::load(pairs + 4 * kTileRows);
    const auto bits = [](Ints codes, int mask) GUFO_INLINE { return V::both(codes, V::all(mask)); };
    const Ints low = V::either(bits(first, 3), bits(V::template shiftedRight<14>(first), 0x0C));
    const Ints high =
        V::either(V::template shiftedLeft<4>(bits(second, 3)), bits(V::template shiftedRight<10>(second), 0xC0));
    const Ints exponents = V::either(low, high);
    const Ints shift = V::all(kCodeBits - 1);
    const Ints power = V::template shiftedLeft<23>(V::subtract(exponents, shift));
    return V::asFloats(V::whereEqual(exponents, V::all(static_cast<std::int32_t>(kNoExponent)), V::all(0x7FC0'0000),
                                     V::whereGreater(exponents, shift, power)));
}

// Where the two vectors of codes are that are multiplied at a time: two halves of a tile, or two tiles.
struct TwoVectors {
    const std::byte* codes[2];
};

// Computes the scores of two vectors of rows and a group of queries over `length` elements: to[q × stride + row].
template<typename V, std::size_t queries, std::size_t share>
void scoreTwo(TwoVectors at, std::size_t length, const Factors<V>* factors, float* to, std::size_t stride,
              const std::byte* prefetchAt) {
    using Floats = typename V::Floats;
    using Ints = typename V::Ints;
    Floats totals[queries][2];
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE { totals[i / 2][i % 2] = V::zero(); });
    for (std::size_t begin = 0; begin < length; begin += kDepth, ++factors) {
        const std::size_t pairs = (smaller(kDepth, length - begin) + 1) / 2;
        const Floats scales[2] = {scalesOf<V>(at.codes[0]), scalesOf<V>(at.codes[1])};
        Ints sums[queries][2];
        unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE { sums[i / 2][i % 2] = V::zeroInts(); });
        const auto add = [&](std::size_t pair) GUFO_INLINE {
            prefetchWith<V, share>(pair, prefetchAt);
            const Ints rows[2] = {V::load(at.codes[0]), V::load(at.codes[1])};
            unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
                const Ints two = V::all(factors->pairs[q][pair]);
                V::addProducts(sums[q][0], rows[0], two);
                V::addProducts(sums[q][1], rows[1], two);
            });
            at.codes[0] += 4 * kTileRows;
            at.codes[1] += 4 * kTileRows;
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
            const Floats unit = V::multiply(scales[i % 2], V::all(factors->units[i / 2]));
            Floats& total = totals[i / 2][i % 2];
            total = V::multiplyAdd(V::toFloats(sums[i / 2][i % 2]), unit, total);
        });
    }
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE {
        V::store(to + i / 2 * stride + i % 2 * V::kLanes, totals[i / 2][i % 2]);
    });
}

// Computes the scores of rows [first, end) over the elements [begin, begin + length), for as many queries as
// forElements() allows. The first call (begin = 0) sets the scores, later ones add to them. vectorsAt(row) returns the
// two vectors that begin with this row; prefetchFor(row) what to prefetch meanwhile.
template<typename V, typename VectorsAt, typename PrefetchFor>
void scoreElements(std::size_t first, std::size_t end, std::size_t begin, std::size_t length, const float* queries,
                   std::size_t queryLength, std::size_t queryCount, float* scores, std::size_t stride,
                   const VectorsAt& vectorsAt, const PrefetchFor& prefetchFor) {
    Factors<V> factors[mostGroups<kTogether<V>>(kMaxQueries) * (kElements / kDepth)];
    const std::size_t blocks = (length + kDepth - 1) / kDepth;
    std::size_t group = 0;
    forGroups<kTogether<V>>(queryCount, [&]<std::size_t... i>(std::size_t q, std::index_sequence<i...> /*count*/) {
        for (std::size_t b = 0; b < blocks; ++b) {
            roundFactors<V, sizeof...(i)>(queries + q * queryLength + begin + b * kDepth, queryLength, nullptr,
                                          smaller(kDepth, length - b * kDepth), factors[group * blocks + b]);
        }
        ++group;
    });
    for (std::size_t row = 0; row < end; row += kRows<V>) {
        const TwoVectors vectors = vectorsAt(row);
        const std::byte* const prefetchAt = prefetchFor(row);
        const bool whole = begin == 0 && row >= first && row + kRows<V> <= end;
        group = 0;
        forGroups<kTogether<V>>(queryCount, [&]<std::size_t... i>(std::size_t q, std::index_sequence<i...> /*count*/) {
            constexpr std::size_t together = sizeof...(i);
            float each[together * kRows<V>];
            float* const to = whole ? scores + q * stride + row - first : each;
            // The first two groups prefetch half each, because more lines at a time would wait for each other.
            const auto score = q + together == queryCount && q == 0 ? scoreTwo<V, together, 2>
                               : group < 2                          ? scoreTwo<V, together, 1>
                                                                    : scoreTwo<V, together, 0>;
            score(vectors, length, factors + group * blocks, to, whole ? stride : kRows<V>,
                  prefetchAt + (group == 1 ? (length * V::kTiles + 3) / 4 * kLine : 0));
            ++group;
            if (!whole) {
                const std::size_t from = row > first ? row : first;
                const std::size_t stop = smaller(end, row + kRows<V>);
                for (std::size_t k = 0; k < together; ++k) {
                    float* const place = scores + (q + k) * stride + from - first;
                    const float* const values = each + k * kRows<V> + from - row;
                    for (std::size_t j = 0; j < stop - from; ++j) {
                        place[j] = begin == 0 ? values[j] : place[j] + values[j];
                    }
                }
            }
        });
    }
}

// Calls work(begin, length, q, count) for pieces of the elements, and for as many queries at a time as there is room
// for their factors.
template<typename V, typename Work>
void forElements(std::size_t length, std::size_t queryCount, const Work& work) {
    constexpr std::size_t kSmallGroups = mostGroups<kTogether<V>>(0); // of fewer than kTogether queries
    constexpr std::size_t kFactors = mostGroups<kTogether<V>>(kMaxQueries) * (kElements / kDepth);
    for (std::size_t begin = 0; begin < length; begin += kElements) {
        const std::size_t piece = smaller(length - begin, kElements);
        const std::size_t atOnce = (kFactors / ((piece + kDepth - 1) / kDepth) - kSmallGroups) * kTogether<V>;
        for (std::size_t q = 0; q < queryCount; q += atOnce) {
            work(begin, piece, q, smaller(atOnce, queryCount - q));
        }
    }
}

template<typename V>
void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    const std::size_t end = first + count;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next};
    forElements<V>(
        tiles.length, queryCount, [&](std::size_t begin, std::size_t length, std::size_t q, std::size_t chunk) {
            const auto vectorsAt = [&](std::size_t row) {
                const std::byte* const one = tiles.data + row / kTileRows * tiles.bytes + 2 * kTileRows * begin;
                if constexpr (V::kTiles == 1) {
                    return TwoVectors{{one, one + 4 * V::kLanes}};
                } else {
                    return TwoVectors{{one, row + kTileRows < end ? one + tiles.bytes : one}};
                }
            };
            const auto prefetchFor = [&](std::size_t row) {
                return window.addressFor(row / kTileRows * tiles.bytes) + V::kTiles * 2 * kTileRows * begin;
            };
            scoreElements<V>(first, end, begin, length, queries + q * tiles.length, tiles.length, chunk,
                             scores + q * stride, stride, vectorsAt, prefetchFor);
        });
}

// Transposes the first `rowCount` of kTileRows rows to pairs of codes of a tile. `count` codes of each are read, an
// even number.
template<typename V>
void packTile(const std::byte* codes, std::size_t rowBytes, std::size_t rowCount, std::size_t count, std::byte* pairs) {
    for (std::size_t j = 0; j < count; j += 2 * V::kLanes) {
        const std::size_t dwords = smaller((count - j) / 2, V::kLanes);
        for (std::size_t first = 0; first < kTileRows; first += V::kLanes) {
            V::transpose(
                [&](std::size_t i) GUFO_INLINE {
                    const std::size_t row = first + i < rowCount ? first + i : 0;
                    return V::loadFirst(codes + row * rowBytes + 2 * j, dwords);
                },
                [&](std::size_t column) GUFO_INLINE { return pairs + (j / 2 + column) * 4 * kTileRows + 4 * first; });
        }
    }
}

// Fewer than kMinRows rows are left to scoreFew().
template<typename V, auto scoreFew>
void score(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount, float* scores,
           std::size_t stride) {
    if (count < kMinRows) {
        scoreFew(rows, count, queries, queryCount, scores, stride);
        return;
    }
    alignas(64) std::byte packed[V::kTiles][2 * kTileRows * kElements];
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    forElements<V>(
        rows.length, queryCount, [&](std::size_t begin, std::size_t length, std::size_t q, std::size_t chunk) {
            const auto vectorsAt = [&](std::size_t row) {
                const std::size_t rowCount = smaller(count - row, kRows<V>);
                for (std::size_t t = 0; t < V::kTiles && t * kTileRows < rowCount; ++t) {
                    const std::byte* const codes = rows.data + (row + t * kTileRows) * rows.rowBytes + 2 * begin;
                    packTile<V>(codes, rows.rowBytes, smaller(rowCount - t * kTileRows, kTileRows),
                                codesOfRow16(length), packed[t]);
                }
                if constexpr (V::kTiles == 1) {
                    return TwoVectors{{packed[0], packed[0] + 4 * V::kLanes}};
                } else {
                    return TwoVectors{{packed[0], packed[rowCount > kTileRows ? 1 : 0]}};
                }
            };
            const auto prefetchFor = [&](std::size_t row) {
                return window.addressFor(row * rows.rowBytes) + V::kTiles * 2 * kTileRows * begin;
            };
            scoreElements<V>(0, count, begin, length, queries + q * rows.length, rows.length, chunk,
                             scores + q * stride, stride, vectorsAt, prefetchFor);
        });
}

// --- sums of values

template<typename V>
constexpr std::size_t kColumns = 2 * V::kLanes; // that are summed together

// Adds `count` rows, times the factors of `queries` queries, to the sums of the first `elements` of kColumns columns.
// `codes` points to the first row.
template<typename V, std::size_t queries, bool whole, std::size_t share>
void gatherColumns(const std::byte* codes, std::size_t rowBytes, std::size_t count, std::size_t elements,
                   const Factors<V>& factors, float* sums, std::size_t stride, const std::byte* prefetchAt) {
    using Ints = typename V::Ints;
    Ints totals[queries][2];
    unrolled(Times<2 * queries>(), [&](std::size_t i) GUFO_INLINE { totals[i / 2][i % 2] = V::zeroInts(); });
    const auto load = [&](const std::byte* from) GUFO_INLINE {
        return V::kept(whole ? V::load(from) : V::loadFirst(from, (elements + 1) / 2)); // rows have an even length
    };
    const std::size_t pairs = (count + 1) / 2;
#pragma GCC unroll 4
    for (std::size_t pair = 0; pair < pairs; ++pair, codes += 2 * rowBytes) {
        prefetchWith<V, share>(pair, prefetchAt);
        const Ints a = load(codes);
        const Ints b = load(2 * pair + 1 < count ? codes + rowBytes : codes); // a missing row has the factor 0
        const Ints low = V::pairsLow(a, b);
        const Ints high = V::pairsHigh(a, b);
        unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
            const Ints two = V::all(factors.pairs[q][pair]);
            V::addProducts(totals[q][0], low, two);
            V::addProducts(totals[q][1], high, two);
        });
    }
    unrolled(Times<queries>(), [&](std::size_t q) GUFO_INLINE {
        const auto unit = V::all(factors.units[q]);
        float* const to = sums + q * stride;
        const std::size_t rest = elements > V::kLanes ? elements - V::kLanes : 0;
        V::addTo(to, whole ? V::kLanes : elements, V::toFloats(V::template columnsOf<0>(totals[q][0], totals[q][1])),
                 unit);
        V::addTo(to + V::kLanes, whole ? V::kLanes : rest,
                 V::toFloats(V::template columnsOf<1>(totals[q][0], totals[q][1])), unit);
    });
}

// Adds rows to the sums of at most kMaxQueries queries.
template<typename V>
void gatherRows(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                std::size_t queryCount, float* sums, const PrefetchWindow& window) {
    for (std::size_t first = 0; first < count; first += kDepth) {
        const std::byte* const block = rows.data + first * rows.rowBytes;
        const std::size_t blockCount = smaller(kDepth, count - first);
        const std::size_t blockPairs = (blockCount + 1) / 2;
        Factors<V> factors[mostGroups<kTogether<V>>(kMaxQueries)];
        const auto roundWeights = [&](std::size_t column) { // for the columns of a block
            float scales[kDepth];
            for (std::size_t i = 0; i < blockCount; ++i) {
                scales[i] = scaleOfCodes(block + i * rows.rowBytes + 2 * column);
            }
            Factors<V>* rounded = factors;
            forGroups<kTogether<V>>(
                queryCount, [&]<std::size_t... i>(std::size_t q, std::index_sequence<i...> /*count*/) {
                    roundFactors<V, sizeof...(i)>(weights + q * stride + first, stride, scales, blockCount, *rounded++);
                });
        };
        const std::byte* prefetchAt = window.addressFor(first * rows.rowBytes);
        for (std::size_t column = 0; column < rows.length; column += kColumns<V>) {
            if (column % kBlock16 == 0) {
                roundWeights(column);
            }
            const std::size_t elements = smaller(kColumns<V>, rows.length - column);
            std::size_t group = 0;
            forGroups<kTogether<V>>(
                queryCount, [&]<std::size_t... i>(std::size_t q, std::index_sequence<i...> /*count*/) {
                    constexpr std::size_t together = sizeof...(i);
                    // The first two groups prefetch half each, because more lines at a time would wait for each other.
                    const std::size_t share = together == queryCount ? 2 : group < 2 ? 1 : 0;
                    const auto run = [&]<bool whole>(std::bool_constant<whole> /*whole*/) {
                        const auto gather = share == 2   ? gatherColumns<V, together, whole, 2>
                                            : share == 1 ? gatherColumns<V, together, whole, 1>
                                                         : gatherColumns<V, together, whole, 0>;
                        gather(block + 2 * column, rows.rowBytes, blockCount, elements, factors[group],
                               sums + q * rows.length + column, rows.length,
                               prefetchAt + kLine * (group == 1 ? (blockPairs * V::kTiles + 1) / 2 : 0));
                    };
                    elements == kColumns<V> ? run(std::true_type()) : run(std::false_type());
                    ++group;
                });
            prefetchAt += V::kTiles * blockPairs * kLine;
        }
    }
}

template<typename V>
void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    for (std::size_t q = 0; q < queryCount; q += kMaxQueries) {
        gatherRows<V>(rows, count, weights + q * stride, stride, smaller(kMaxQueries, queryCount - q),
                      sums + q * rows.length, window);
    }
}

} // namespace
} // namespace gufo::attention_f16
