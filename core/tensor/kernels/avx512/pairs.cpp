// AVX-512: sums over pairs of floats. kernels/scalar/pairs.cpp specifies the results.
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/scalar/reduce.h"

#include <cstring>
#include <utility>

namespace gufo::avx512 {
namespace {
// The bins and squares of pairs that are still to be counted. Counting is bound by stores, and computing by vector
// arithmetic. Pairs are therefore counted a run later than they were computed, alternately with the computation of new
// ones: a processor executes both at the same time, and counting never waits for the computation.
struct Places {
    static constexpr std::size_t kRun = 128;
    // The pairs [a², (a − b)²] of each group of sixteen, in the order in which the unpack instructions produce them:
    // the even and the odd pairs of the lower eight, then of the upper eight.
    alignas(64) double squares[2 * kRun];
    alignas(64) std::uint16_t cells[kRun]; // indices into PairBins::counts as a flat array
};

struct Lanes {
    __m512d aa = _mm512_setzero_pd();
    __m512d bb = _mm512_setzero_pd();
    __m512d ab = _mm512_setzero_pd();
    __m512d ee = _mm512_setzero_pd();
    __m512d absolute = _mm512_setzero_pd();
    __m512d error = _mm512_setzero_pd();
    __m512d maximum = _mm512_setzero_pd();

    // Returns the error bins of eight pairs, not clamped.
    template<bool binned>
    __m256i add(__m256 a, __m256 b, double* squares) {
        const __m512d x = _mm512_cvtps_pd(a);
        const __m512d y = _mm512_cvtps_pd(b);
        const __m512d e = _mm512_sub_pd(x, y);
        const __m512d magnitude = _mm512_abs_pd(e);
        bb = _mm512_fmadd_pd(y, y, bb);
        ab = _mm512_fmadd_pd(x, y, ab);
        absolute = _mm512_add_pd(absolute, magnitude);
        error = _mm512_add_pd(error, e);
        maximum = _mm512_max_pd(maximum, magnitude);
        if constexpr (!binned) {
            aa = _mm512_fmadd_pd(x, x, aa);
            ee = _mm512_fmadd_pd(e, e, ee);
            return _mm256_setzero_si256();
        } else {
            const __m512d xx = _mm512_mul_pd(x, x);
            const __m512d square = _mm512_mul_pd(e, e);
            aa = _mm512_add_pd(aa, xx);
            ee = _mm512_add_pd(ee, square);
            _mm512_store_pd(squares, _mm512_unpacklo_pd(xx, square));
            _mm512_store_pd(squares + 8, _mm512_unpackhi_pd(xx, square));
            return _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_castpd_si512(magnitude), 51));
        }
    }
};

// Counts pairs [from, to) of a run, in whole groups of eight. Consecutive pairs use different lanes of the sums, so
// that adding to the same octave twice does not stall.
[[gnu::always_inline]] inline void putInBins(const Places& places, std::size_t from, std::size_t to, PairBins& bins) {
    static_assert(PairBins::kLanes == 8 && PairBins::kErrorBins == 128 && sizeof(PairBins::sums[0]) == 128);
    std::uint32_t* const counts = bins.counts[0].data();
    auto* const sums = reinterpret_cast<char*>(&bins.sums[0][0]);
    for (std::size_t k = from; k < to; k += 8) {
        const double* const squares = places.squares + 2 * k;
        std::uint64_t cells[2];
        std::memcpy(cells, places.cells + k, sizeof cells);
        [&]<std::size_t... i>(std::index_sequence<i...>) {
            const auto add = [&](std::size_t lane, std::size_t cell) {
                ++counts[cell];
                // The first cell of the octave is also the offset of its sums in bytes.
                auto* const at =
                    reinterpret_cast<double*>(sums + (cell & ~(PairBins::kErrorBins - 1)) + lane * sizeof(__m128d));
                _mm_store_pd(at, _mm_add_pd(_mm_load_pd(at), _mm_load_pd(squares + lane % 2 * 8 + lane / 2 * 2)));
            };
            (add(i, cells[i / 4] >> (i % 4 * 16) & 0xFFFFU), ...);
        }(std::make_index_sequence<8>());
    }
}

template<bool binned>
PairSums sumFinitePairs(const float* a, const float* b, std::size_t count, double known, PairBins* bins) {
    const std::size_t whole = count / 16 * 16;
    Lanes low;
    Lanes high;
    Places places;
    __m512i equal = _mm512_setzero_si512();
    const __m512i one = _mm512_set1_epi32(1);
    const __m512i magnitudeBits = _mm512_set1_epi32(0x7FFF'FFFF);
    const __m512i zero = _mm512_setzero_si512();
    const __m512i lowestOctave = _mm512_set1_epi32(127 + PairBins::kLowestExponent);
    const __m512i lastOctave = _mm512_set1_epi32(static_cast<int>(PairBins::kOctaves) - 1);
    const __m512i lowestBin = _mm512_set1_epi32(2 * (1023 + PairBins::kLowestExponent));
    const __m512i lastBin = _mm512_set1_epi32(static_cast<int>(PairBins::kErrorBins) - 1);
    for (std::size_t i = 0; i < whole; i += 16) {
        const std::size_t filled = i % Places::kRun;
        if constexpr (binned) {
            if (i >= Places::kRun) {
                putInBins(places, filled, filled + 16, *bins);
            }
        }
        const __m512 x = _mm512_loadu_ps(a + i);
        const __m512 y = _mm512_loadu_ps(b + i);
        equal = _mm512_mask_add_epi32(equal, _mm512_cmp_ps_mask(x, y, _CMP_EQ_OQ), equal, one);
        const __m256i lowBins =
            low.add<binned>(_mm512_castps512_ps256(x), _mm512_castps512_ps256(y), places.squares + 2 * filled);
        const __m256i highBins = high.add<binned>(_mm512_extractf32x8_ps(x, 1), _mm512_extractf32x8_ps(y, 1),
                                                  places.squares + 2 * filled + 16);
        if constexpr (binned) {
            __m512i octave = _mm512_srli_epi32(_mm512_and_si512(_mm512_castps_si512(x), magnitudeBits), 23);
            octave = _mm512_sub_epi32(octave, lowestOctave);
            octave = _mm512_min_epi32(_mm512_max_epi32(octave, zero), lastOctave);
            __m512i bin = _mm512_inserti32x8(_mm512_castsi256_si512(lowBins), highBins, 1);
            bin = _mm512_sub_epi32(bin, lowestBin);
            bin = _mm512_min_epi32(_mm512_max_epi32(bin, zero), lastBin);
            static_assert(PairBins::kErrorBins == 128);
            const __m512i cells = _mm512_add_epi32(_mm512_slli_epi32(octave, 7), bin);
            _mm256_store_si256(reinterpret_cast<__m256i*>(places.cells + filled), _mm512_cvtepi32_epi16(cells));
        }
    }
    if constexpr (binned) {
        putInBins(places, 0, whole < Places::kRun ? whole : Places::kRun, *bins);
    }
    PairSums sums = scalar::sumPairs(a + whole, b + whole, count - whole, 0, bins);
    sums.pairs += whole;
    sums.equal += static_cast<std::uint64_t>(_mm512_reduce_add_epi32(equal));
    sums.aa += _mm512_reduce_add_pd(_mm512_add_pd(low.aa, high.aa));
    sums.bb += _mm512_reduce_add_pd(_mm512_add_pd(low.bb, high.bb));
    sums.ab += _mm512_reduce_add_pd(_mm512_add_pd(low.ab, high.ab));
    sums.ee += _mm512_reduce_add_pd(_mm512_add_pd(low.ee, high.ee));
    sums.absolute += _mm512_reduce_add_pd(_mm512_add_pd(low.absolute, high.absolute));
    sums.bias -= _mm512_reduce_add_pd(_mm512_add_pd(low.error, high.error));
    const double maximum = _mm512_reduce_max_pd(_mm512_max_pd(low.maximum, high.maximum));
    sums.maximum = maximum > sums.maximum ? maximum : sums.maximum;
    sums.maximumIndex = sums.maximum > known ? scalar::indexOfError(a, b, count, sums.maximum) : PairSums::kNone;
    return sums;
}

PairSums sumPairs(const float* a, const float* b, std::size_t count, double known, PairBins* bins) {
    // Counts in bins cannot be undone, so values that are not finite are detected first.
    const __m512i magnitudeBits = _mm512_set1_epi32(0x7FFF'FFFF);
    __m512i largest = _mm512_setzero_si512();
    for (std::size_t i = 0; i + 16 <= count; i += 16) {
        const __m512i x = _mm512_and_si512(_mm512_loadu_si512(a + i), magnitudeBits);
        const __m512i y = _mm512_and_si512(_mm512_loadu_si512(b + i), magnitudeBits);
        largest = _mm512_max_epu32(largest, _mm512_max_epu32(x, y));
    }
    if (_mm512_reduce_max_epu32(largest) >= 0x7F80'0000U) {
        return scalar::sumPairs(a, b, count, known, bins);
    }
    return bins != nullptr ? sumFinitePairs<true>(a, b, count, known, bins)
                           : sumFinitePairs<false>(a, b, count, known, nullptr);
}

} // namespace

void installPairs(Kernels& kernels) { kernels.sumPairs = sumPairs; }

} // namespace gufo::avx512
