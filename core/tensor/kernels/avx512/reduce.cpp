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

// The bins of sixteen values within the edges. After adding the margin, a guess is either right or one too high. It can
// be too high only if its fraction is less than twice the margin; such values are compared with the edge itself, which
// is computed as the plan's edges are.
class BinGuess {
public:
    explicit BinGuess(const BinPlan& plan)
        : m_first(_mm512_set1_ps(plan.first))
        , m_end(_mm512_set1_ps(plan.end))
        , m_lo(_mm512_set1_ps(plan.floatLo))
        , m_perUnit(_mm512_set1_ps(plan.floatPerUnit))
        , m_margin(_mm512_set1_ps(plan.floatMargin))
        , m_doubtful(_mm512_set1_ps(2 * plan.floatMargin))
        , m_last(_mm512_set1_epi32(static_cast<int>(plan.bins) - 1))
        , m_step(_mm512_set1_pd(plan.step))
        , m_start(_mm512_set1_pd(plan.lo)) {}

    [[nodiscard]] __mmask16 below(__m512 values) const { return _mm512_cmp_ps_mask(values, m_first, _CMP_LT_OQ); }
    [[nodiscard]] __mmask16 above(__m512 values) const { return _mm512_cmp_ps_mask(values, m_end, _CMP_GE_OQ); }
    [[nodiscard]] __mmask16 inside(__m512 values) const {
        return _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(values, m_first, _CMP_GE_OQ), values, m_end, _CMP_LT_OQ);
    }
    [[nodiscard]] __m512 replaceOthers(__mmask16 inside, __m512 values) const {
        return _mm512_mask_mov_ps(m_first, inside, values);
    }
    [[nodiscard]] __m512i binsOf(__m512 values) const {
        const __m512 guess = _mm512_fmadd_ps(_mm512_sub_ps(values, m_lo), m_perUnit, m_margin);
        const __mmask16 doubt = _mm512_cmp_ps_mask(_mm512_reduce_ps(guess, 1), m_doubtful, _CMP_LT_OQ);
        const __m512i bins = _mm512_cvttps_epi32(guess);
        return doubt != 0 ? corrected(bins, values) : bins;
    }

private:
    [[nodiscard]] __m512i corrected(__m512i bins, __m512 values) const {
        bins = _mm512_min_epi32(bins, m_last);
        const __mmask8 low = isBelow(_mm512_castps512_ps256(values), _mm512_castsi512_si256(bins));
        const __mmask8 high = isBelow(_mm512_extractf32x8_ps(values, 1), _mm512_extracti32x8_epi32(bins, 1));
        return _mm512_mask_sub_epi32(bins, _mm512_kunpackb(high, low), bins, _mm512_set1_epi32(1));
    }
    [[nodiscard]] __mmask8 isBelow(__m256 values, __m256i bins) const {
        const __m512d edges = _mm512_add_pd(_mm512_mul_pd(_mm512_cvtepi32_pd(bins), m_step), m_start);
        return _mm512_cmp_pd_mask(_mm512_cvtps_pd(values), edges, _CMP_LT_OQ);
    }

    __m512 m_first, m_end, m_lo, m_perUnit, m_margin, m_doubtful;
    __m512i m_last;
    __m512d m_step, m_start;
};

inline void store(std::uint16_t* to, __m512i places) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(places));
}
// Stores the bins of thirty-two values.
inline void storePlaces(std::uint16_t* to, __m512i a, __m512i b, __m512i tableStart) {
    store(to, _mm512_add_epi32(a, tableStart));
    store(to + 16, _mm512_add_epi32(b, tableStart));
}
inline void storePlaces(std::uint8_t* to, __m512i a, __m512i b, __m512i /*tableStart*/) {
    const __m512i upper = _mm512_slli_epi32(_mm512_max_epi32(a, b), 8);
    const __m512i pairs = _mm512_or_si512(_mm512_min_epi32(a, b), upper);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(pairs));
}

template<typename Place>
void binFloatsBy(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    const BinGuess guess(plan);
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    constexpr bool kPaired = sizeof(Place) == 1;
    const std::uint32_t tables = kPaired ? 1 : plan.tables;
    const __m512i table = _mm512_and_si512(lane, _mm512_set1_epi32(static_cast<int>(tables - 1)));
    const __m512i tableStart = _mm512_mullo_epi32(table, _mm512_set1_epi32(static_cast<int>(plan.bins)));
    const __m512 infinity = _mm512_set1_ps(__builtin_inff());
    PendingPlaces<Place> pending(counts);
    std::size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        const __m512 a = _mm512_loadu_ps(values + i);
        const __m512 b = _mm512_loadu_ps(values + i + 16);
        if (_mm512_kand(guess.inside(a), guess.inside(b)) == 0xFFFF) {
            storePlaces(pending.next(), guess.binsOf(a), guess.binsOf(b), tableStart);
            continue;
        }
        for (const __m512 v : {a, b}) {
            const __mmask16 inside = guess.inside(v);
            const __m512i places = _mm512_add_epi32(guess.binsOf(guess.replaceOthers(inside, v)), tableStart);
            alignas(64) std::uint16_t few[16];
            store(few, _mm512_maskz_compress_epi32(inside, places));
            for (int place = 0; place < __builtin_popcount(inside); ++place) {
                ++counts.counts[few[place]]; // one by one, because their number may be odd
            }
            const __mmask16 finite = _mm512_cmp_ps_mask(_mm512_abs_ps(v), infinity, _CMP_LT_OQ);
            counts.below += static_cast<std::uint64_t>(__builtin_popcount(finite & guess.below(v)));
            counts.above += static_cast<std::uint64_t>(__builtin_popcount(finite & guess.above(v)));
        }
    }
    pending.flush();
    scalar::binFloats(values + i, count - i, plan, counts);
}

void binFloats(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    if (plan.floatGuess && counts.pairs != nullptr) {
        binFloatsBy<std::uint8_t>(values, count, plan, counts);
    } else if (plan.floatGuess && std::uint64_t{plan.tables} * plan.bins <= kMaxPlaces) {
        binFloatsBy<std::uint16_t>(values, count, plan, counts);
    } else {
        scalar::binFloats(values, count, plan, counts);
    }
}

void countShorts(const std::byte* values, std::size_t count, std::uint32_t* counts) {
    countPlaces(values, count, counts);
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
