// Sums of products down columns of F16 numbers, computed in 16-bit integers: one instruction multiplies 32 of these
// instead of 16 floats. Blocks of kDepth numbers of a column are rounded to integers of at most 2^14, in units of a
// power of two for each column. The kDepth factors of a block are rounded to 16-bit integers that are small enough for
// the sums to fit in 32 bits. The error of a number is then at most 2^-14 of the largest in its block (rounding to half
// precision has cost up to 2^-11 before); that of a factor is at most 2^-13 of their root mean square. Included by
// AVX-512 translation units only; everything has internal linkage.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kDepth = 32;
constexpr std::size_t kWidth = 32;  // columns processed together, in two vectors
constexpr std::size_t kQueries = 8; // number of queries whose sums fit in registers
constexpr std::size_t kGroups = 8;  // groups of so many queries that are processed together

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

// The intrinsic would copy the sums between registers.
inline void addProducts(__m512i& sums, __m512i a, __m512i b) {
    asm("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
}

// The low 16-bit words of the floats of a and b, to which 1.5 × 2^n was added to make them integers:
//
//   interleaved   a0 b0 a1 b1 … a15 b15
//   concatenated  a0 a1 … a15 b0 b1 … b15
inline __m512i interleaved(__m512 a, __m512 b) {
    const __m512i order = _mm512_set_epi16(62, 30, 60, 28, 58, 26, 56, 24, 54, 22, 52, 20, 50, 18, 48, 16, 46, 14, 44,
                                           12, 42, 10, 40, 8, 38, 6, 36, 4, 34, 2, 32, 0);
    return _mm512_permutex2var_epi16(_mm512_castps_si512(a), order, _mm512_castps_si512(b));
}
inline __m512i concatenated(__m512 a, __m512 b) {
    const __m512i order = _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26,
                                           24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_epi16(_mm512_castps_si512(a), order, _mm512_castps_si512(b));
}

// Lane i is the sum of the lanes of v[i]; lanes 8 … 15 repeat lanes 0 … 7. With s0, s1 … for sums of v[0], v[1] …:
//
//   even    s0 s2 s4 s6 │ s0 s2 s4 s6 │ …      partial sums over each group of four lanes
//   odd     s1 s3 s5 s7 │ …
//   halves  even │ even │ odd │ odd            two partial sums each
//   all     even │ even │ odd │ odd            complete sums; the permutation interleaves even and odd
inline __m512 sumEach(const __m512 (&v)[8]) {
    const auto sums = [](__m512 a, __m512 b) {
        return _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    };
    const __m512 even = sums(sums(v[0], v[4]), sums(v[2], v[6]));
    const __m512 odd = sums(sums(v[1], v[5]), sums(v[3], v[7]));
    const __m512 halves = _mm512_add_ps(_mm512_shuffle_f32x4(even, odd, 0x88), _mm512_shuffle_f32x4(even, odd, 0xDD));
    const __m512 all = _mm512_add_ps(halves, _mm512_shuffle_f32x4(halves, halves, 0xB1));
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 0, 8, 1, 9, 2, 10, 3, 11), all);
}

// The factors of kQueries queries for one block, in pairs.
struct Factors {
    alignas(64) std::int32_t pairs[kQueries][kDepth / 2];
    float units[kQueries];
    bool finite;
};

// Rounds factors such that the root of the sum of their squares is at most 23,160. Then none is larger, and the sum of
// the magnitudes of kDepth factors is at most 2^17, which times 2^14 fits in 32 bits. Factors beyond `count` are zero.
inline void roundFactors(const float* const (&from)[kQueries], std::size_t count, Factors& out) {
    constexpr float kNorm = 23'160;
    const std::uint32_t mask = count < kDepth ? (1U << count) - 1 : ~0U;
    __m512 values[kQueries][2];
    __m512 squares[kQueries];
    unrolled(Times<kQueries>(), [&](std::size_t q) GUFO_INLINE {
        values[q][0] = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from[q]);
        values[q][1] = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16U), from[q] + 16);
        squares[q] = _mm512_fmadd_ps(values[q][0], values[q][0], _mm512_mul_ps(values[q][1], values[q][1]));
    });
    const __m512 sums = sumEach(squares);
    out.finite = _mm512_cmp_ps_mask(sums, _mm512_set1_ps(1e36F), _CMP_LT_OQ) == 0xFFFF;
    const __m512 scales =
        _mm512_mul_ps(_mm512_rsqrt14_ps(_mm512_max_ps(sums, _mm512_set1_ps(1e-36F))), _mm512_set1_ps(kNorm));
    _mm256_storeu_ps(out.units, _mm512_castps512_ps256(_mm512_div_ps(_mm512_set1_ps(1), scales)));
    const __m512 anchor = _mm512_set1_ps(0x1.8p23F);
    unrolled(Times<kQueries>(), [&](std::size_t q) GUFO_INLINE {
        const __m512 scale = _mm512_permutexvar_ps(_mm512_set1_epi32(static_cast<int>(q)), scales);
        _mm512_store_si512(out.pairs[q], concatenated(_mm512_fmadd_ps(values[q][0], scale, anchor),
                                                      _mm512_fmadd_ps(values[q][1], scale, anchor)));
    });
}

// kWidth columns of `count` numbers, in two vectors. Consecutive numbers of a column are `step` bytes apart.
struct Columns {
    const std::byte* vectors[2];
    std::size_t step;
    std::size_t count;
};

inline __m512 loadHalves(const std::byte* from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

// Converts the numbers of a column to integers: adding the anchor leaves the number of units in the low 16 bits of the
// float.
struct Rounding {
    __m512 anchors[2];
    __m512 units[2];
    bool finite;
};

// Finds the largest magnitudes of the columns, two numbers of each at a time. In tiles these two are adjacent in
// memory; in rows they are at the same place of two rows.
template<bool tiles>
struct Probe {
    const std::byte* at[2];
    std::size_t step;
    std::size_t left; // remaining pairs of numbers
    __m512i maxima[2]{};

    explicit Probe(const Columns& columns)
        : at{columns.vectors[0], tiles ? columns.vectors[1] : columns.vectors[0] + columns.step}
        , step(2 * columns.step)
        , left(columns.count / 2) {}
    [[gnu::always_inline]] void next() { // repeats the last pair
        left -= left != 0 ? 1 : 0;
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            const __m512i magnitudes = _mm512_and_si512(_mm512_loadu_si512(at[k]), _mm512_set1_epi16(0x7FFF));
            maxima[k] = _mm512_max_epu16(maxima[k], magnitudes);
            at[k] += left != 0 ? step : 0;
        });
    }
    [[gnu::always_inline]] void rest() {
        while (left != 0) {
            next();
        }
    }
    [[gnu::always_inline]] [[nodiscard]] Rounding rounding() const {
        const auto folded = [](__m512i v) {
            return _mm256_max_epu16(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
        };
        const __m512i both = _mm512_max_epu16(maxima[0], maxima[1]);
        const __m256i largest[2] = {tiles ? folded(maxima[0]) : _mm512_castsi512_si256(both),
                                    tiles ? folded(maxima[1]) : _mm512_extracti64x4_epi64(both, 1)};
        Rounding rounding;
        rounding.finite = _mm512_cmpge_epu16_mask(both, _mm512_set1_epi16(0x7C00)) == 0;
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            // With 2^e ≤ largest < 2^(e + 1), a unit is 2^(e − 13), the lowest bit of 1.5 × 2^(e + 10).
            const __m512 positive = _mm512_cvtph_ps(_mm256_max_epu16(largest[k], _mm256_set1_epi16(1)));
            const __m512i power = _mm512_and_si512(_mm512_castps_si512(positive), _mm512_set1_epi32(0x7F80'0000));
            rounding.units[k] = _mm512_castsi512_ps(_mm512_sub_epi32(power, _mm512_set1_epi32(13 << 23)));
            rounding.anchors[k] = _mm512_castsi512_ps(
                _mm512_or_si512(_mm512_add_epi32(power, _mm512_set1_epi32(10 << 23)), _mm512_set1_epi32(0x0040'0000)));
        });
        return rounding;
    }
};

// Calls take(p, x, y) for each pair of numbers of the columns, of which x and y are both vectors as integers. The count
// is even. between() is called between pairs of numbers. Meanwhile `probe` examines the next block and stores how to
// round it in `next`, so that its conversion to integers does not stall.
template<typename Probe, typename Between, typename Take>
[[gnu::always_inline]] inline void convertColumns(const Columns& columns, const Rounding& rounding, Probe& probe,
                                                  Rounding& next, const Between& between, const Take& take) {
    const std::byte* first = columns.vectors[0];
    const std::byte* second = columns.vectors[1];
    const std::size_t step = columns.step;
    const auto work = [&](std::size_t pair) GUFO_INLINE {
        between();
        const __m512i x = interleaved(_mm512_add_ps(loadHalves(first), rounding.anchors[0]),
                                      _mm512_add_ps(loadHalves(first + step), rounding.anchors[0]));
        const __m512i y = interleaved(_mm512_add_ps(loadHalves(second), rounding.anchors[1]),
                                      _mm512_add_ps(loadHalves(second + step), rounding.anchors[1]));
        first += 2 * step;
        second += 2 * step;
        take(pair, x, y);
    };
    std::size_t i = 0;
    for (; i < columns.count / 4; ++i) {
        probe.next();
        probe.next();
        work(i);
    }
    probe.rest();
    next = probe.rounding();
    for (; i < columns.count / 2; ++i) {
        work(i);
    }
}

// The sums of products of columns with the factors of each query.
struct IntegerSums {
    __m512i sums[kQueries][2]{};

    GUFO_INLINE void add(const Factors& factors, std::size_t pair, __m512i x, __m512i y) {
        unrolled(Times<kQueries>(), [&](std::size_t q) GUFO_INLINE {
            const __m512i two = _mm512_set1_epi32(factors.pairs[q][pair]);
            addProducts(sums[q][0], x, two);
            addProducts(sums[q][1], y, two);
        });
    }
    // Calls take(q, k, sums, unit) for each query q and vector k.
    template<typename Take>
    GUFO_INLINE void giveTo(const Take& take, const Rounding& rounding, const Factors& factors) const {
        unrolled(Times<kQueries>(), [&](std::size_t q) GUFO_INLINE {
            const __m512 unit = _mm512_set1_ps(factors.units[q]);
            take(q, 0, _mm512_mul_ps(_mm512_cvtepi32_ps(sums[q][0]), rounding.units[0]), unit);
            take(q, 1, _mm512_mul_ps(_mm512_cvtepi32_ps(sums[q][1]), rounding.units[1]), unit);
        });
    }
};

// A block of columns as integers, which are used for several groups of queries.
struct Converted {
    __m512i pairs[kDepth / 2][2];

    template<typename Take>
    GUFO_INLINE void sum(std::size_t count, const Rounding& rounding, const Factors& factors, const Take& take) const {
        IntegerSums sums;
        for (std::size_t pair = 0; pair < count / 2; ++pair) {
            sums.add(factors, pair, pairs[pair][0], pairs[pair][1]);
        }
        sums.giveTo(take, rounding, factors);
    }
};

// Computes the same sums in floats for `queries` queries whose factors are `stride` apart. This is used if integers are
// not worthwhile (a single number) or impossible (infinite numbers). Only the columns of the mask are read.
template<typename Take>
[[gnu::noinline]] void sumFloats(const Columns& columns, std::uint32_t mask, const float* factors, std::size_t stride,
                                 std::size_t queries, const Take& take) {
    for (std::size_t k = 0; k < 2; ++k) {
        const auto lanes = static_cast<__mmask16>(mask >> (16 * k));
        for (std::size_t q = 0; q < queries; ++q) {
            __m512 sums = _mm512_setzero_ps();
            for (std::size_t i = 0; i < columns.count; ++i) {
                const __m256i halves = _mm256_maskz_loadu_epi16(lanes, columns.vectors[k] + i * columns.step);
                sums = _mm512_fmadd_ps(_mm512_cvtph_ps(halves), _mm512_set1_ps(factors[q * stride + i]), sums);
            }
            take(q, k, sums, _mm512_set1_ps(1));
        }
    }
}

// Rounds all blocks of the factors of kQueries queries. If there are fewer, the last of the `queries` is repeated.
void roundAll(const float* factors, std::size_t stride, std::size_t queries, std::size_t count, Factors* out) {
    for (std::size_t i = 0; i < count; i += kDepth) {
        const float* from[kQueries];
        for (std::size_t q = 0; q < kQueries; ++q) {
            from[q] = factors + smaller(q, queries - 1) * stride + i;
        }
        roundFactors(from, smaller(count - i, kDepth), *out++);
    }
}

} // namespace
} // namespace gufo::avx512
