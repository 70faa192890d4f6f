// AVX-512: power sums and bins of floats, counts of 16-bit values. kernels/scalar/reduce.cpp specifies the results.
#include "tensor/kernels/scalar/reduce.h"

#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/portable/count_places.h"
#include "tensor/kernels/portable/folds.h"

namespace gufo::avx512 {
namespace {

// Power sums in eight lanes of double.
struct DoubleSums {
    __m512d absolute = _mm512_setzero_pd();
    __m512d sum1 = _mm512_setzero_pd();
    __m512d sum2 = _mm512_setzero_pd();
    __m512d sum3 = _mm512_setzero_pd();
    __m512d sum4 = _mm512_setzero_pd();

    void add(__m256 values, __m512d shift) {
        const __m512d x = _mm512_cvtps_pd(values);
        const __m512d d = _mm512_sub_pd(x, shift);
        const __m512d square = _mm512_mul_pd(d, d);
        absolute = _mm512_add_pd(absolute, _mm512_abs_pd(x));
        sum1 = _mm512_add_pd(sum1, d);
        sum2 = _mm512_add_pd(sum2, square);
        sum3 = _mm512_fmadd_pd(square, d, sum3);
        sum4 = _mm512_fmadd_pd(square, square, sum4);
    }
};

PowerSums sumFloats(const float* values, std::size_t count, double shift) {
    const std::size_t whole = count / 16 * 16;
    DoubleSums low;
    DoubleSums high;
    __m512 min = _mm512_set1_ps(__builtin_inff());
    __m512 max = _mm512_set1_ps(-__builtin_inff());
    __m512i zeros = _mm512_setzero_si512();
    __m512i magnitudes = _mm512_setzero_si512(); // bits of the largest magnitudes
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i magnitudeBits = _mm512_set1_epi32(0x7FFF'FFFF);
    const __m512d shifts = _mm512_set1_pd(shift);
    for (std::size_t i = 0; i < whole; i += 16) {
        const __m512 v = _mm512_loadu_ps(values + i);
        const __m512i bits = _mm512_and_si512(_mm512_castps_si512(v), magnitudeBits);
        magnitudes = _mm512_max_epu32(magnitudes, bits);
        zeros = _mm512_mask_add_epi32(zeros, _mm512_testn_epi32_mask(bits, bits), zeros, one);
        min = _mm512_min_ps(min, v);
        max = _mm512_max_ps(max, v);
        low.add(_mm512_castps512_ps256(v), shifts);
        high.add(_mm512_extractf32x8_ps(v, 1), shifts);
    }
    if (_mm512_reduce_max_epu32(magnitudes) >= 0x7F80'0000U) {
        return scalar::sumFloats(values, count, shift); // rare: there is a NaN or an infinity
    }
    PowerSums sums = scalar::sumFloats(values + whole, count - whole, shift);
    if (whole == 0) {
        return sums;
    }
    const double smallest = _mm512_reduce_min_ps(min);
    const double largest = _mm512_reduce_max_ps(max);
    sums.finite += whole;
    sums.zeros += static_cast<std::uint64_t>(_mm512_reduce_add_epi32(zeros));
    sums.min = smallest < sums.min ? smallest : sums.min;
    sums.max = largest > sums.max ? largest : sums.max;
    sums.absolute += _mm512_reduce_add_pd(_mm512_add_pd(low.absolute, high.absolute));
    sums.sum1 += _mm512_reduce_add_pd(_mm512_add_pd(low.sum1, high.sum1));
    sums.sum2 += _mm512_reduce_add_pd(_mm512_add_pd(low.sum2, high.sum2));
    sums.sum3 += _mm512_reduce_add_pd(_mm512_add_pd(low.sum3, high.sum3));
    sums.sum4 += _mm512_reduce_add_pd(_mm512_add_pd(low.sum4, high.sum4));
    return sums;
}

void binFloats(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    if (!plan.floatGuess || std::uint64_t{plan.tables} * plan.bins > kMaxPlaces) {
        scalar::binFloats(values, count, plan, counts);
        return;
    }
    // After adding the margin, a guess is either right or one too high. It can be too high only if its fraction is less
    // than twice the margin; these few values are compared with the edge itself.
    const __m512 lo = _mm512_set1_ps(plan.floatLo);
    const __m512 perUnit = _mm512_set1_ps(plan.floatPerUnit);
    const __m512 margin = _mm512_set1_ps(plan.floatMargin);
    const __m512 doubtful = _mm512_set1_ps(2 * plan.floatMargin);
    const __m512 first = _mm512_set1_ps(plan.thresholds[0]);
    const __m512 end = _mm512_set1_ps(plan.thresholds[plan.bins]);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i table = _mm512_and_si512(lane, _mm512_set1_epi32(static_cast<int>(plan.tables - 1)));
    const __m512i tableStart = _mm512_mullo_epi32(table, _mm512_set1_epi32(static_cast<int>(plan.bins)));
    const __m512i one = _mm512_set1_epi32(1);
    // The places of a run are computed before any is counted, so that counting does not wait for the computation.
    constexpr std::size_t kRun = 512;
    alignas(64) std::uint16_t places[kRun];
    std::size_t filled = 0;
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m512 v = _mm512_loadu_ps(values + i);
        const __mmask16 inside = _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(v, first, _CMP_GE_OQ), v, end, _CMP_LT_OQ);
        if (inside != 0xFFFF) {
            scalar::binFloats(values + i, 16, plan, counts);
            continue;
        }
        const __m512 guess = _mm512_fmadd_ps(_mm512_sub_ps(v, lo), perUnit, margin);
        const __mmask16 doubt = _mm512_cmp_ps_mask(_mm512_reduce_ps(guess, 1), doubtful, _CMP_LT_OQ);
        __m512i bin = _mm512_cvttps_epi32(guess);
        if (doubt != 0) {
            const __m512 edge = _mm512_mask_i32gather_ps(first, doubt, bin, plan.thresholds, 4);
            bin = _mm512_mask_sub_epi32(bin, _mm512_mask_cmp_ps_mask(doubt, v, edge, _CMP_LT_OQ), bin, one);
        }
        _mm256_store_si256(reinterpret_cast<__m256i*>(places + filled),
                           _mm512_cvtepi32_epi16(_mm512_add_epi32(bin, tableStart)));
        filled += 16;
        if (filled == kRun) {
            countPlaces(places, kRun, counts.counts);
            filled = 0;
        }
    }
    countPlaces(places, filled, counts.counts);
    scalar::binFloats(values + i, count - i, plan, counts);
}

void countShorts(const std::byte* values, std::size_t count, std::uint32_t* counts) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const auto four = get<std::uint64_t>(values + 2 * i);
        ++counts[four & 0xFFFFU];
        ++counts[four >> 16U & 0xFFFFU];
        ++counts[four >> 32U & 0xFFFFU];
        ++counts[four >> 48U];
    }
    scalar::countShorts(values + 2 * i, count - i, counts);
}

} // namespace

void installReductions(Kernels& kernels) {
    kernels.sumFloats = sumFloats;
    kernels.binFloats = binFloats;
    kernels.foldLargest = foldLargest;
    kernels.foldSums = foldSums;
    kernels.foldSquares = foldSquares;
    kernels.countShorts = countShorts;
}

void install(Kernels& kernels) {
    installSimple(kernels);
    installCodeBooks(kernels);
    installReductions(kernels);
    installPairs(kernels);
    installProducts(kernels.products);
    installRowKernels(kernels.rows);
}

} // namespace gufo::avx512
