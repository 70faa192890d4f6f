// Sums of products down columns of halves that stand side by side, in 16-bit integers, of which an instruction
// multiplies 32, instead of 16 floats. Blocks of kDepth numbers of a column are rounded to integers of at most 2^14, by
// a power of two that is the column's own, and as many factors to 16 bits so that no sum leaves 32 bits. A number is
// then wrong by 2^-14 of the largest in its block at most, of which half precision has lost up to 2^-11 itself; a
// factor by 2^-13 of their root mean square. Included by AVX-512 translation units only; everything has internal
// linkage.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kDepth = 32;
constexpr std::size_t kWidth = 32;  // columns that are worked on together, in two vectors
constexpr std::size_t kQueries = 8; // whose sums fit the registers

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

// The compiler's own function copies the sums from register to register.
inline void addProducts(__m512i& sums, __m512i a, __m512i b) {
    asm("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
}

// The low words of floats to which 1.5 × 2^n was added: of a and b by turns, or one after another.
inline __m512i byTurns(__m512 a, __m512 b) {
    const __m512i order = _mm512_set_epi16(62, 30, 60, 28, 58, 26, 56, 24, 54, 22, 52, 20, 50, 18, 48, 16, 46, 14, 44,
                                           12, 42, 10, 40, 8, 38, 6, 36, 4, 34, 2, 32, 0);
    return _mm512_permutex2var_epi16(_mm512_castps_si512(a), order, _mm512_castps_si512(b));
}
inline __m512i inOrder(__m512 a, __m512 b) {
    const __m512i order = _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32, 30, 28, 26,
                                           24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    return _mm512_permutex2var_epi16(_mm512_castps_si512(a), order, _mm512_castps_si512(b));
}

// Lane i: the sum of v[i]; lanes from 8 on repeat them.
inline __m512 sumEach(const __m512 (&v)[8]) {
    const auto sums = [](__m512 a, __m512 b) {
        return _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    };
    const __m512 even = sums(sums(v[0], v[4]), sums(v[2], v[6])); // each 16 bytes: of v[0], v[2], v[4], v[6]
    const __m512 odd = sums(sums(v[1], v[5]), sums(v[3], v[7]));
    const __m512 halves = _mm512_add_ps(_mm512_shuffle_f32x4(even, odd, 0x88), _mm512_shuffle_f32x4(even, odd, 0xDD));
    const __m512 all = _mm512_add_ps(halves, _mm512_shuffle_f32x4(halves, halves, 0xB1)); // even, even, odd, odd
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 0, 8, 1, 9, 2, 10, 3, 11), all);
}

// A block's factors of kQueries queries, two and two.
struct Factors {
    alignas(64) std::int32_t pairs[kQueries][kDepth / 2];
    float units[kQueries];
    bool finite;
};

// The root of the sum of their squares becomes 23,160 at most: none is larger, and the sum of kDepth none than 2^17,
// times 2^14 is within 32 bits. Past `count` factors there are zeros.
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
        _mm512_store_si512(out.pairs[q], inOrder(_mm512_fmadd_ps(values[q][0], scale, anchor),
                                                 _mm512_fmadd_ps(values[q][1], scale, anchor)));
    });
}

// kWidth columns in two vectors, of `count` numbers; the next number of a column stands `step` bytes on.
struct Columns {
    const std::byte* vectors[2];
    std::size_t step;
    std::size_t count;
};

inline __m512 loadHalves(const std::byte* from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
}

// What makes numbers of a column integers: a float that, added to one, leaves in the last 16 bits of the sum how many
// units the number is.
struct Rounding {
    __m512 anchors[2];
    __m512 units[2];
    bool finite;
};

// Looks for the columns' largest magnitudes, two numbers of each at a time: in tiles those of a vector stand together,
// in rows the same ones of both vectors.
template<bool tiles>
struct Probe {
    const std::byte* at[2];
    std::size_t step;
    std::size_t left; // pairs of numbers
    __m512i most[2]{};

    explicit Probe(const Columns& columns)
        : at{columns.vectors[0], tiles ? columns.vectors[1] : columns.vectors[0] + columns.step}
        , step(2 * columns.step)
        , left(columns.count / 2) {}
    [[gnu::always_inline]] void next() { // after the last pair: that again
        left -= left != 0 ? 1 : 0;
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            const __m512i magnitudes = _mm512_and_si512(_mm512_loadu_si512(at[k]), _mm512_set1_epi16(0x7FFF));
            most[k] = _mm512_max_epu16(most[k], magnitudes);
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
        const __m512i both = _mm512_max_epu16(most[0], most[1]);
        const __m256i largest[2] = {tiles ? folded(most[0]) : _mm512_castsi512_si256(both),
                                    tiles ? folded(most[1]) : _mm512_extracti64x4_epi64(both, 1)};
        Rounding rounding;
        rounding.finite = _mm512_cmpge_epu16_mask(both, _mm512_set1_epi16(0x7C00)) == 0;
        unrolled(Times<2>(), [&](std::size_t k) GUFO_INLINE {
            // Of 2^e ≤ largest < 2^(e + 1): a unit is 2^(e − 13), the last bit of 1.5 × 2^(e + 10).
            const __m512 positive = _mm512_cvtph_ps(_mm256_max_epu16(largest[k], _mm256_set1_epi16(1)));
            const __m512i power = _mm512_and_si512(_mm512_castps_si512(positive), _mm512_set1_epi32(0x7F80'0000));
            rounding.units[k] = _mm512_castsi512_ps(_mm512_sub_epi32(power, _mm512_set1_epi32(13 << 23)));
            rounding.anchors[k] = _mm512_castsi512_ps(
                _mm512_or_si512(_mm512_add_epi32(power, _mm512_set1_epi32(10 << 23)), _mm512_set1_epi32(0x0040'0000)));
        });
        return rounding;
    }
};

// For each query q and vector k calls take(q, k, sums, unit): of products of the vector's columns with the query's
// factors, in that unit. The count is even. Between the pairs of numbers between() is called, and `probe` looks at the
// next block, for whose integers the processor would otherwise have to wait.
template<typename Probe, typename Between, typename Take>
[[gnu::always_inline]] inline void sumIntegers(const Columns& columns, const Rounding& rounding, const Factors& factors,
                                               Probe& probe, Rounding& next, const Between& between, const Take& take) {
    __m512i sums[kQueries][2]{};
    const std::byte* first = columns.vectors[0];
    const std::byte* second = columns.vectors[1];
    const std::size_t step = columns.step;
    const std::int32_t* pairs = &factors.pairs[0][0];
    const auto work = [&] GUFO_INLINE {
        between();
        const __m512i x = byTurns(_mm512_add_ps(loadHalves(first), rounding.anchors[0]),
                                  _mm512_add_ps(loadHalves(first + step), rounding.anchors[0]));
        const __m512i y = byTurns(_mm512_add_ps(loadHalves(second), rounding.anchors[1]),
                                  _mm512_add_ps(loadHalves(second + step), rounding.anchors[1]));
        first += 2 * step;
        second += 2 * step;
        unrolled(Times<kQueries>(), [&](std::size_t q) GUFO_INLINE {
            const __m512i pair = _mm512_set1_epi32(pairs[q * (kDepth / 2)]);
            addProducts(sums[q][0], x, pair);
            addProducts(sums[q][1], y, pair);
        });
        ++pairs;
    };
    std::size_t i = 0;
    for (; i < columns.count / 4; ++i) {
        probe.next();
        probe.next();
        work();
    }
    probe.rest();
    next = probe.rounding();
    for (; i < columns.count / 2; ++i) {
        work();
    }
    unrolled(Times<kQueries>(), [&](std::size_t q) GUFO_INLINE {
        const __m512 unit = _mm512_set1_ps(factors.units[q]);
        take(q, 0, _mm512_mul_ps(_mm512_cvtepi32_ps(sums[q][0]), rounding.units[0]), unit);
        take(q, 1, _mm512_mul_ps(_mm512_cvtepi32_ps(sums[q][1]), rounding.units[1]), unit);
    });
}

// The same sums of `queries` queries whose factors are `stride` apart, for what integers are not worth or cannot be:
// one number, or infinite ones. Only the columns of the mask are read.
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

// Rounds blocks of kQueries queries' factors, of which `queries` are there; past the last one that stands again.
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
