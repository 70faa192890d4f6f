// Attention over F16, computed as sums down columns in 16-bit integers, of which an instruction adds sixteen products;
// in floats it is eight. In a tile of keys, a column is a position and runs down the elements; in rows of values, it is
// an element and runs down the positions. The factors are those of a query, or weights. avx512/column_sums.h explains
// how both are rounded, and rounds alike; here a block of columns is converted once for all queries and kept in memory,
// because there are too few registers for the sums of eight.
#include "tensor/kernels/avx2/tiles.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/prefetch.h"
#include "tensor/tensor_type.h"

#include <algorithm>

namespace gufo::avx2 {
namespace {

constexpr std::size_t kMinQueries = 5;    // the fewest queries for which converting to integers is worthwhile
constexpr std::size_t kMaxQueries = 64;   // processed at a time
constexpr std::size_t kTogether = 4;      // queries whose sums fit in registers
constexpr std::size_t kDepth = 32;        // numbers of a column that are summed in 32 bits
constexpr std::size_t kWidth = 16;        // columns of a block, in two vectors
constexpr std::size_t kMaxElements = 512; // of keys, processed at a time
constexpr std::size_t kBytes = 2;         // of a number

// The float kernels, for fewer queries.
AttentionKernels::OfType floatKernels;

inline __m256 native(Floats v) { return reinterpret_cast<__m256>(v); }
inline __m256i bitsOf(Floats v) { return reinterpret_cast<__m256i>(v); }
inline Floats ofBits(__m256i bits) { return reinterpret_cast<Floats>(bits); }
inline void storeFloats(float* to, Floats v) { std::memcpy(to, &v, sizeof v); }

// Lane i is the sum of the lanes of v[i]. With s0, s1 … for sums of pairs of lanes of v[0], v[1] …, and S0 … for sums
// of four:
//
//   hadd(v0, v1)   s0 s0 s1 s1 │ s0 s0 s1 s1
//   low            S0 S1 S2 S3 │ S0 S1 S2 S3      each the sum of one half; `high` has S4 … S7
inline Floats sumEach(const Floats (&v)[8]) {
    const auto pairs = [&](std::size_t i) GUFO_INLINE { return _mm256_hadd_ps(native(v[i]), native(v[i + 1])); };
    const __m256 low = _mm256_hadd_ps(pairs(0), pairs(2));
    const __m256 high = _mm256_hadd_ps(pairs(4), pairs(6));
    return reinterpret_cast<Floats>(
        _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31)));
}

// The factors of kRounded queries for one block, in pairs. They are rounded such that the root of the sum of the
// squares of each query is at most 23,160. Then the sum of their magnitudes is at most 2^17, which times 2^14 fits in
// 32 bits.
constexpr std::size_t kRounded = 8;
struct Factors {
    alignas(32) std::int32_t pairs[kRounded][kDepth / 2];
    float units[kRounded];
    bool finite;
};

// Queries beyond `queries` repeat the last; factors beyond `count` are zero.
void roundFactors(const float* from, std::size_t stride, std::size_t queries, std::size_t count, Factors& out) {
    constexpr float kNorm = 23'160;
    constexpr std::size_t kVectors = kDepth / 8;
    const float* each[kRounded];
    float filled[kRounded][kDepth];
    for (std::size_t q = 0; q < kRounded; ++q) {
        each[q] = from + std::min(q, queries - 1) * stride;
        if (count < kDepth) {
            std::fill(std::copy_n(each[q], count, filled[q]), filled[q] + kDepth, 0.0F);
            each[q] = filled[q];
        }
    }
    Floats squares[kRounded];
    unrolled(Times<kRounded>(), [&](std::size_t q) GUFO_INLINE {
        squares[q] = Floats{};
        unrolled(Times<kVectors>(), [&](std::size_t i) GUFO_INLINE {
            const Floats values = get<Floats>(each[q] + 8 * i);
            squares[q] = multiplyAdd(values, values, squares[q]);
        });
    });
    const __m256 sums = native(sumEach(squares));
    out.finite = _mm256_movemask_ps(_mm256_cmp_ps(sums, _mm256_set1_ps(1e36F), _CMP_LT_OQ)) == 0xFF;
    const __m256 roots = _mm256_sqrt_ps(_mm256_max_ps(sums, _mm256_set1_ps(1e-36F)));
    const __m256 scales = _mm256_div_ps(_mm256_set1_ps(kNorm), roots);
    _mm256_storeu_ps(out.units, _mm256_mul_ps(roots, _mm256_set1_ps(1 / kNorm)));
    unrolled(Times<kRounded>(), [&](std::size_t q) GUFO_INLINE {
        const __m256 scale = _mm256_permutevar8x32_ps(scales, _mm256_set1_epi32(static_cast<int>(q)));
        const auto rounded = [&](std::size_t i) GUFO_INLINE {
            return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(each[q] + 8 * i), scale));
        };
        unrolled(Times<kVectors / 2>(), [&](std::size_t i) GUFO_INLINE {
            const __m256i packed = _mm256_packs_epi32(rounded(2 * i), rounded(2 * i + 1));
            const __m256i inOrder = _mm256_permute4x64_epi64(packed, 0xD8);
            std::memcpy(out.pairs[q] + 8 * i, &inOrder, sizeof inOrder);
        });
    });
}

// kWidth columns of `count` numbers, at most kDepth. Consecutive numbers of a column are `step` bytes apart.
struct Columns {
    const std::byte* at;
    std::size_t step;
    std::size_t count;
};

// Prefetches about as many cache lines as are read, a few before each sum: after the conversion of a block, as many as
// it has read would occupy all buffers for outstanding loads, and the loads would wait for memory.
struct Ahead {
    const std::byte* at;
    std::size_t lines; // each time

    // `groups` sums use each block.
    Ahead(const std::byte* from, std::size_t groups)
        : at(from)
        , lines((kDepth * kWidth * kBytes / kLine + groups - 1) / groups) {}
    GUFO_INLINE void step() {
        for (std::size_t i = 0; i < lines; ++i, at += kLine) {
            prefetchFar(at);
        }
    }
};

// An even number of rows of columns as integers in units of a power of two for each column, in pairs.
struct Block {
    __m256i pairs[kDepth / 2][2];
    Floats units[2];
    std::size_t count; // of pairs
    bool finite;

    // Adding the anchor to a number leaves its integer in the low 16 bits of the float:
    //
    //   first, second   … a0 │ … a1 │ …      … b0 │ … b1 │ …      words, lowest last
    //   pair            b0 a0 │ b1 a1 │ …
    void convert(const Columns& columns) {
        if (columns.count == kDepth) {
            convert<true>(columns);
        } else {
            convert<false>(columns);
        }
    }

private:
    template<bool whole>
    GUFO_INLINE void convert(const Columns& columns) {
        count = whole ? kDepth / 2 : columns.count / 2;
        const std::byte* at = columns.at;
        const std::size_t step = columns.step;
        __m256i maxima[2]{};
#pragma GCC unroll kChecked ? 1 : 4
        for (std::size_t pair = 0; pair < (whole ? kDepth / 2 : count); ++pair, at += 2 * step) {
            unrolled(Times<2>(), [&](std::size_t i) GUFO_INLINE {
                const __m256i bits = get<__m256i>(at + i * step);
                maxima[i] = _mm256_max_epu16(maxima[i], _mm256_and_si256(bits, _mm256_set1_epi16(0x7FFF)));
            });
        }
        const __m256i largest =
            _mm256_max_epu16(_mm256_max_epu16(maxima[0], maxima[1]), _mm256_set1_epi16(1)); // so that a unit is not 0
        // Magnitudes from 0x7C00 on are infinite or no numbers.
        const __m256i infinite = _mm256_cmpgt_epi16(largest, _mm256_set1_epi16(0x7BFF));
        finite = _mm256_testz_si256(infinite, infinite) != 0;
        const __m128i halves[2]{_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1)};
        Floats anchors[2];
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            // With 2^e ≤ largest < 2^(e + 1), a unit is 2^(e − 13), the lowest bit of 1.5 × 2^(e + 10).
            const __m256i power =
                _mm256_and_si256(_mm256_castps_si256(_mm256_cvtph_ps(halves[k])), _mm256_set1_epi32(0x7F80'0000));
            units[k] = ofBits(_mm256_sub_epi32(power, _mm256_set1_epi32(13 << 23)));
            anchors[k] = ofBits(
                _mm256_or_si256(_mm256_add_epi32(power, _mm256_set1_epi32(10 << 23)), _mm256_set1_epi32(0x0040'0000)));
        });
        at = columns.at;
#pragma GCC unroll kChecked ? 1 : 4
        for (std::size_t pair = 0; pair < (whole ? kDepth / 2 : count); ++pair, at += 2 * step) {
            unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
                const __m256i first = bitsOf(eightHalves(at + 16 * k) + anchors[k]);
                const __m256i second = bitsOf(eightHalves(at + step + 16 * k) + anchors[k]);
                pairs[pair][k] = _mm256_blend_epi16(first, _mm256_slli_epi32(second, 16), 0xAA);
            });
        }
    }
};

// Calls take(q, k, sums, unit) with the sums of both vectors of columns for kTogether queries, from the `first` of the
// factors on.
template<typename Take>
GUFO_INLINE inline void sumIntegers(const Block& block, const Factors& factors, std::size_t first, const Take& take) {
    const std::int32_t* const pairs = factors.pairs[first];
    Ints sums[kTogether][2];
    forTokensAndTiles<kTogether>([&](std::size_t q, std::size_t k) GUFO_INLINE { sums[q][k] = Ints{}; });
    const auto add = [&](std::size_t pair) GUFO_INLINE {
        const __m256i columns[2]{kept(block.pairs[pair][0]), kept(block.pairs[pair][1])};
        forTokensAndTiles<kTogether>([&](std::size_t q, std::size_t k) GUFO_INLINE {
            const __m256i two = _mm256_set1_epi32(pairs[q * (kDepth / 2) + pair]);
            sums[q][k] = kept(sums[q][k] + asInts(_mm256_madd_epi16(columns[k], two)));
        });
    };
    if (block.count == kDepth / 2) {
#pragma GCC unroll kChecked ? 1 : 16
        for (std::size_t pair = 0; pair < kDepth / 2; ++pair) {
            add(pair);
        }
    } else {
        for (std::size_t pair = 0; pair < block.count; ++pair) {
            add(pair);
        }
    }
    forTokensAndTiles<kTogether>([&](std::size_t q, std::size_t k) GUFO_INLINE {
        take(q, k, toFloats(sums[q][k]) * block.units[k], allLanes(factors.units[first + q]));
    });
}

// The same sums in floats, if integers are not worthwhile (a single number) or impossible (infinite numbers).
template<typename Take>
[[gnu::noinline]] void sumFloats(const Columns& columns, const float* factors, std::size_t stride, std::size_t queries,
                                 const Take& take) {
    for (std::size_t q = 0; q < queries; ++q) {
        for (std::size_t k = 0; k < 2; ++k) {
            Floats sums{};
            for (std::size_t i = 0; i < columns.count; ++i) {
                sums = multiplyAdd(eightHalves(columns.at + i * columns.step + 16 * k),
                                   allLanes(factors[q * stride + i]), sums);
            }
            take(q, k, sums, allLanes(1.0F));
        }
    }
}

// Adds the products of a block with kTogether queries, from the `first` of the rounded factors on, of which `queries`
// exist.
template<typename Take>
GUFO_INLINE inline void sumColumns(const Columns& columns, const Block& block, const Factors& rounded,
                                   std::size_t first, const float* factors, std::size_t stride, std::size_t queries,
                                   const Take& take) {
    if (block.finite && rounded.finite) [[likely]] {
        sumIntegers(block, rounded, first, take);
    } else {
        sumFloats(columns, factors, stride, queries, take);
    }
}

bool isWorthRounding(std::size_t allQueries, std::size_t queryCount) {
    return (allQueries != 0 ? allQueries : queryCount) >= kMinQueries;
}

// --- scores

constexpr std::size_t kMaxBlocks = kMaxElements / kDepth;
constexpr std::size_t kMaxFactors = 64; // blocks of kRounded queries, which are on the stack of each thread

// Computes the scores over the elements [begin, begin + kMaxElements), of as many queries as kMaxFactors allows. The
// first call (begin = 0) sets the scores, later ones add to them.
void scoreElements(const CachedTiles& tiles, std::size_t firstRow, std::size_t rows, std::size_t begin,
                   const float* queries, std::size_t queryCount, float* scores, std::size_t stride) {
    constexpr std::size_t kStep = kBytes * kTileRows;
    const std::size_t length = std::min(tiles.length - begin, kMaxElements);
    const std::size_t even = length / 2 * 2;
    const std::size_t blocks = (even + kDepth - 1) / kDepth;
    const std::size_t groups = (queryCount + kTogether - 1) / kTogether;
    Factors factors[kMaxFactors];
    for (std::size_t q = 0; q < queryCount; q += kRounded) {
        for (std::size_t b = 0; b < blocks; ++b) {
            roundFactors(queries + q * tiles.length + begin + b * kDepth, tiles.length, queryCount - q,
                         std::min(kDepth, even - b * kDepth), factors[q / kRounded * blocks + b]);
        }
    }
    const std::size_t end = firstRow + rows;
    const PrefetchWindow window{tiles.data, (end + kTileRows - 1) / kTileRows * tiles.bytes, tiles.next};
    Block converted[kMaxBlocks];
    for (std::size_t row = 0; row < end; row += kTileRows) {
        const std::byte* const tile = tiles.data + row / kTileRows * tiles.bytes + begin * kStep;
        const auto columnsOf = [&](std::size_t j, std::size_t count) {
            return Columns{tile + j * kStep, kStep, count};
        };
        Ahead ahead(window.addressFor(row / kTileRows * tiles.bytes) + begin * kStep, groups);
        for (std::size_t b = 0; b < blocks; ++b) {
            converted[b].convert(columnsOf(b * kDepth, std::min(kDepth, even - b * kDepth)));
        }
        const std::size_t from = std::max(row, firstRow);
        const std::size_t count = std::min(end, row + kTileRows) - from;
        for (std::size_t q = 0; q < queryCount; q += kTogether) {
            const std::size_t used = std::min(kTogether, queryCount - q);
            const float* const groupQueries = queries + q * tiles.length + begin;
            Floats totals[kTogether][2];
            forTokensAndTiles<kTogether>([&](std::size_t t, std::size_t k) GUFO_INLINE { totals[t][k] = Floats{}; });
            const auto take = [&](std::size_t t, std::size_t k, Floats sum, Floats unit)
                                  GUFO_INLINE { totals[t][k] = multiplyAdd(sum, unit, totals[t][k]); };
            for (std::size_t b = 0; b < blocks; ++b) {
                ahead.step();
                sumColumns(columnsOf(b * kDepth, std::min(kDepth, even - b * kDepth)), converted[b],
                           factors[q / kRounded * blocks + b], q % kRounded, groupQueries + b * kDepth, tiles.length,
                           used, take);
            }
            if (even < length) {
                sumFloats(columnsOf(even, 1), groupQueries + even, tiles.length, used, take);
            }
            for (std::size_t t = 0; t < used; ++t) {
                float* const to = scores + (q + t) * stride + from - firstRow;
                if (count == kTileRows && begin == 0) {
                    storeFloats(to, totals[t][0]);
                    storeFloats(to + 8, totals[t][1]);
                    continue;
                }
                float each[kTileRows];
                storeFloats(each, totals[t][0]);
                storeFloats(each + 8, totals[t][1]);
                for (std::size_t i = 0; i < count; ++i) {
                    to[i] = each[from - row + i] + (begin == 0 ? 0 : to[i]);
                }
            }
        }
    }
}

void scoreTiles(const CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    if (tiles.length < 2 || !isWorthRounding(tiles.allQueries, queryCount)) {
        floatKernels.scoreTiles(tiles, first, count, queries, queryCount, scores, stride);
        return;
    }
    const std::size_t blocks = (std::min(tiles.length, kMaxElements) + kDepth - 1) / kDepth;
    const std::size_t atOnce = std::min(kMaxQueries, kMaxFactors / blocks * kRounded);
    for (std::size_t q = 0; q < queryCount; q += atOnce) {
        for (std::size_t begin = 0; begin < tiles.length; begin += kMaxElements) {
            scoreElements(tiles, first, count, begin, queries + q * tiles.length, std::min(atOnce, queryCount - q),
                          scores + q * stride, stride);
        }
    }
}

// --- sums of values

// Adds rows to the sums of up to kMaxQueries queries. The last columns may overlap those before, which then are not
// added again.
void gatherRows(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride,
                std::size_t queryCount, float* sums) {
    const std::size_t length = rows.length;
    const std::size_t groups = (queryCount + kTogether - 1) / kTogether;
    const PrefetchWindow window{rows.data, count * rows.rowBytes, rows.next};
    Factors factors[kMaxQueries / kRounded];
    Block block;
    for (std::size_t row = 0; row < count;) {
        // Pairs as long as there are some; then the last row of an odd number alone.
        const std::size_t depth = std::min(kDepth, std::max<std::size_t>(1, (count - row) / 2 * 2));
        for (std::size_t q = 0; depth > 1 && q < queryCount; q += kRounded) {
            roundFactors(weights + q * stride + row, stride, queryCount - q, depth, factors[q / kRounded]);
        }
        Ahead ahead(window.addressFor(row * rows.rowBytes), groups);
        for (std::size_t j = 0; j < length; j += kWidth) {
            const std::size_t column = std::min(j, length - kWidth);
            const Columns columns{rows.data + row * rows.rowBytes + kBytes * column, rows.rowBytes, depth};
            if (depth > 1) {
                block.convert(columns);
            }
            for (std::size_t q = 0; q < queryCount; q += kTogether) {
                const std::size_t used = std::min(kTogether, queryCount - q);
                const auto take = [&](std::size_t t, std::size_t k, Floats sum, Floats unit) GUFO_INLINE {
                    float* const to = sums + (q + t) * length + column + 8 * k;
                    if (t >= used) {
                        return;
                    }
                    const Floats before = get<Floats>(to);
                    const Floats after = multiplyAdd(sum, unit, before);
                    if (column == j) [[likely]] {
                        storeFloats(to, after);
                        return;
                    }
                    for (std::size_t i = 0; i < 8; ++i) {
                        to[i] = column + 8 * k + i >= j ? after[i] : before[i];
                    }
                };
                ahead.step();
                if (depth > 1) {
                    sumColumns(columns, block, factors[q / kRounded], q % kRounded, weights + q * stride + row, stride,
                               used, take);
                } else {
                    sumFloats(columns, weights + q * stride + row, stride, used, take);
                }
            }
        }
        row += depth;
    }
}

void gather(const CachedRows& rows, std::size_t count, const float* weights, std::size_t stride, std::size_t queryCount,
            float* sums) {
    if (rows.length < kWidth || !isWorthRounding(rows.allQueries, queryCount)) {
        floatKernels.gather(rows, count, weights, stride, queryCount, sums);
        return;
    }
    for (std::size_t q = 0; q < queryCount; q += kMaxQueries) {
        gatherRows(rows, count, weights + q * stride, stride, std::min(kMaxQueries, queryCount - q),
                   sums + q * rows.length);
    }
}

} // namespace

void installAttentionF16(AttentionKernels& kernels) {
    auto& functions = kernels.types[TensorType::F16];
    floatKernels = functions;
    functions.scoreTiles = scoreTiles;
    functions.gather = gather;
}

} // namespace gufo::avx2
