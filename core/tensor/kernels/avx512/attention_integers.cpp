// Attention over F16 and Q8_0 in 16-bit integers: one instruction adds 32 of their products, instead of 16 of floats.
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace gufo::avx512 {
namespace {

// The vectors with which the templates of x86 are instantiated.
struct Vectors16 {
    using Floats = __m512;
    using Ints = __m512i;
    static constexpr std::size_t kLanes = 16;           // of 32 bits
    static constexpr std::size_t kTogether = 8;         // queries whose sums fit in registers
    static constexpr std::size_t kTiles = 2;            // of 16 rows, in two vectors
    static constexpr std::size_t kBlockBytes = 1 << 20; // of rows that several passes find in a cache

    GUFO_INLINE static Floats load(const float* from) { return _mm512_loadu_ps(from); }
    GUFO_INLINE static Floats loadFirst(const float* from, std::size_t count) {
        return _mm512_maskz_loadu_ps(firstLanes(count), from);
    }
    GUFO_INLINE static void store(float* to, Floats values) { _mm512_storeu_ps(to, values); }
    GUFO_INLINE static Floats all(float value) { return _mm512_set1_ps(value); }
    GUFO_INLINE static Floats zero() { return _mm512_setzero_ps(); }
    GUFO_INLINE static Floats multiply(Floats a, Floats b) { return _mm512_mul_ps(a, b); }
    GUFO_INLINE static Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm512_fmadd_ps(a, b, c); }
    GUFO_INLINE static Floats largerMagnitude(Floats magnitude, Floats v) {
        return _mm512_max_ps(magnitude, _mm512_abs_ps(v));
    }
    GUFO_INLINE static Floats toFloats(Ints v) { return _mm512_cvtepi32_ps(v); }
    GUFO_INLINE static Floats asFloats(Ints bits) { return _mm512_castsi512_ps(bits); }
    GUFO_INLINE static float sum(Floats v) { return _mm512_reduce_add_ps(v); }
    GUFO_INLINE static float largest(Floats v) { return _mm512_reduce_max_ps(v); }

    GUFO_INLINE static Ints load(const std::byte* from) { return _mm512_loadu_si512(from); }
    // The first `count` dwords and zeros.
    GUFO_INLINE static Ints loadFirst(const std::byte* from, std::size_t count) {
        return _mm512_maskz_loadu_epi32(firstLanes(count), from);
    }
    GUFO_INLINE static void store(std::int32_t* to, Ints values) { _mm512_storeu_si512(to, values); }
    GUFO_INLINE static Ints all(std::int32_t value) { return _mm512_set1_epi32(value); }
    GUFO_INLINE static Ints zeroInts() { return _mm512_setzero_si512(); }
    GUFO_INLINE static Ints both(Ints a, Ints b) { return _mm512_and_si512(a, b); }
    GUFO_INLINE static Ints either(Ints a, Ints b) { return _mm512_or_si512(a, b); }
    template<int bits>
    GUFO_INLINE static Ints shiftedLeft(Ints v) {
        return _mm512_slli_epi32(v, bits);
    }
    template<int bits>
    GUFO_INLINE static Ints shiftedRight(Ints v) {
        return _mm512_srli_epi32(v, bits);
    }
    GUFO_INLINE static Ints subtract(Ints a, Ints b) { return _mm512_sub_epi32(a, b); }
    // The lanes of `v` where a > b, else zeros.
    GUFO_INLINE static Ints whereGreater(Ints a, Ints b, Ints v) {
        return _mm512_maskz_mov_epi32(_mm512_cmpgt_epi32_mask(a, b), v);
    }
    // The lanes of `v` where a == b, and elsewhere the lanes of `other`.
    GUFO_INLINE static Ints whereEqual(Ints a, Ints b, Ints v, Ints other) {
        return _mm512_mask_mov_epi32(other, _mm512_cmpeq_epi32_mask(a, b), v);
    }
    // The even or odd codes of dwords of four bytes, sign-extended to two 16-bit numbers: c0 c1 c2 c3 → c0 c2, or c1
    // c3.
    GUFO_INLINE static Ints evenCodes(Ints codes) { return _mm512_srai_epi16(_mm512_slli_epi16(codes, 8), 8); }
    GUFO_INLINE static Ints oddCodes(Ints codes) { return _mm512_srai_epi16(codes, 8); }
    // As many bytes as a vector has 16-bit numbers, sign-extended to these.
    GUFO_INLINE static Ints loadBytes(const std::byte* from) {
        return _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }
    // As many halves as a vector has floats.
    GUFO_INLINE static Floats loadHalves(const std::byte* from) {
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }
    // Prevents GCC from loading the vector again for its second use.
    GUFO_INLINE static Ints kept(Ints v) {
        asm("" : "+v"(v));
        return v;
    }

    // Adds the products of 16-bit numbers, in pairs. The intrinsic would copy the sums between registers.
    GUFO_INLINE static void addProducts(Ints& sums, Ints a, Ints b) {
        asm("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
    }
    // Rounds two vectors of floats, times a factor, to 16-bit integers, in order.
    GUFO_INLINE static Ints rounded16(Floats low, Floats high, Floats factor) {
        const Ints first = _mm512_cvtps_epi32(_mm512_mul_ps(low, factor));
        const Ints second = _mm512_cvtps_epi32(_mm512_mul_ps(high, factor));
        const Ints order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        return _mm512_permutexvar_epi64(order, _mm512_packs_epi32(first, second));
    }

    // Of each four 16-bit numbers, the even ones before the odd ones: 0 1 2 3 → 0 2 1 3.
    GUFO_INLINE static Ints evenBeforeOdd(Ints v) {
        constexpr int kOrder = _MM_SHUFFLE(3, 1, 2, 0);
        return _mm512_shufflehi_epi16(_mm512_shufflelo_epi16(v, kOrder), kOrder);
    }

    // Interleaves the 16-bit numbers of two rows of 32 columns: low has the pairs of the columns 0 … 3, 8 … 11,
    // 16 … 19 and 24 … 27, and high the others.
    GUFO_INLINE static Ints pairsLow(Ints a, Ints b) { return _mm512_unpacklo_epi16(a, b); }
    GUFO_INLINE static Ints pairsHigh(Ints a, Ints b) { return _mm512_unpackhi_epi16(a, b); }
    // Of sums in that order, the columns 16 k … 16 k + 15.
    template<std::size_t k>
    GUFO_INLINE static Ints columnsOf(Ints low, Ints high) {
        const Ints order = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        return _mm512_permutex2var_epi32(low, _mm512_add_epi32(order, _mm512_set1_epi32(8 * k)), high);
    }
    // Adds values, times a factor, to the first `elements` floats of a vector; to none if `elements` is 0.
    GUFO_INLINE static void addTo(float* to, std::size_t elements, Floats values, Floats factor) {
        if (elements >= kLanes) {
            _mm512_storeu_ps(to, _mm512_fmadd_ps(values, factor, _mm512_loadu_ps(to)));
        } else {
            const __mmask16 lanes = firstLanes(elements);
            _mm512_mask_storeu_ps(to, lanes, _mm512_fmadd_ps(values, factor, _mm512_maskz_loadu_ps(lanes, to)));
        }
    }

    // Transposes a square of dwords: dword i of row r becomes dword r of the vector at out(i). rowAt(r) returns row r.
    template<typename RowAt, typename Out>
    static void transpose(const RowAt& rowAt, const Out& out) {
        Ints rows[kLanes];
        for (std::size_t i = 0; i < kLanes; ++i) {
            rows[i] = rowAt(i);
        }
        avx512::transpose(rows, [&](int column) { return out(static_cast<std::size_t>(column)); });
    }

private:
    GUFO_INLINE static __mmask16 firstLanes(std::size_t count) { return static_cast<__mmask16>((1U << count) - 1); }
};

} // namespace

} // namespace gufo::avx512

// They use the vectors above.
#include "tensor/kernels/x86/attention_f16.h"
#include "tensor/kernels/x86/attention_q8.h"

namespace gufo::avx512 {

void installIntegerAttention(AttentionKernels& kernels) {
    kernels.types[TensorType::F16] = {.score = attention_f16::score<Vectors16, scoreF16AsFloats>,
                                      .scoreTiles = attention_f16::scoreTiles<Vectors16>,
                                      .gather = attention_f16::gather<Vectors16>};
    auto& q8 = kernels.types[TensorType::Q8_0];
    q8.scoreTiles = attention_q8::scoreTiles<Vectors16>;
    q8.gather = attention_q8::gather<Vectors16>;
}

} // namespace gufo::avx512
