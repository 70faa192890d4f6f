// Attention over F16 and Q8_0 in 16-bit integers: one instruction multiplies 16 of them and adds the products in pairs,
// but multiplies only eight floats.
#include "tensor/kernels/avx2/tiles.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace gufo::avx2 {
namespace {

// The vectors with which the templates of x86 are instantiated.
struct Vectors16 {
    using Floats = __m256;
    using Ints = __m256i;
    static constexpr std::size_t kLanes = 8;           // of 32 bits
    static constexpr std::size_t kTogether = 4;        // queries whose sums fit in registers
    static constexpr std::size_t kTiles = 1;           // of 16 rows, in two vectors
    static constexpr std::size_t kBlockBytes = 10'240; // of rows that several passes find in the L1 cache

    GUFO_INLINE static Floats load(const float* from) { return _mm256_loadu_ps(from); }
    GUFO_INLINE static Floats loadFirst(const float* from, std::size_t count) {
        return _mm256_maskload_ps(from, firstLanes(count));
    }
    GUFO_INLINE static void store(float* to, Floats values) { _mm256_storeu_ps(to, values); }
    GUFO_INLINE static Floats all(float value) { return _mm256_set1_ps(value); }
    GUFO_INLINE static Floats zero() { return _mm256_setzero_ps(); }
    GUFO_INLINE static Floats multiply(Floats a, Floats b) { return _mm256_mul_ps(a, b); }
    GUFO_INLINE static Floats multiplyAdd(Floats a, Floats b, Floats c) { return _mm256_fmadd_ps(a, b, c); }
    GUFO_INLINE static Floats largerMagnitude(Floats magnitude, Floats v) {
        return _mm256_max_ps(magnitude, _mm256_andnot_ps(_mm256_set1_ps(-0.0F), v));
    }
    GUFO_INLINE static Floats toFloats(Ints v) { return _mm256_cvtepi32_ps(v); }
    GUFO_INLINE static Floats asFloats(Ints bits) { return _mm256_castsi256_ps(bits); }
    GUFO_INLINE static float sum(Floats v) {
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
    }
    GUFO_INLINE static float largest(Floats v) {
        const __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
        const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
    }

    GUFO_INLINE static Ints load(const std::byte* from) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    }
    // The first `count` dwords and zeros.
    GUFO_INLINE static Ints loadFirst(const std::byte* from, std::size_t count) {
        return _mm256_maskload_epi32(reinterpret_cast<const int*>(from), firstLanes(count));
    }
    GUFO_INLINE static void store(std::int32_t* to, Ints values) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), values);
    }
    GUFO_INLINE static Ints all(std::int32_t value) { return _mm256_set1_epi32(value); }
    GUFO_INLINE static Ints zeroInts() { return _mm256_setzero_si256(); }
    GUFO_INLINE static Ints both(Ints a, Ints b) { return _mm256_and_si256(a, b); }
    GUFO_INLINE static Ints either(Ints a, Ints b) { return _mm256_or_si256(a, b); }
    template<int bits>
    GUFO_INLINE static Ints shiftedLeft(Ints v) {
        return _mm256_slli_epi32(v, bits);
    }
    template<int bits>
    GUFO_INLINE static Ints shiftedRight(Ints v) {
        return _mm256_srli_epi32(v, bits);
    }
    GUFO_INLINE static Ints subtract(Ints a, Ints b) { return _mm256_sub_epi32(a, b); }
    // The lanes of `v` where a > b, else zeros.
    GUFO_INLINE static Ints whereGreater(Ints a, Ints b, Ints v) {
        return _mm256_and_si256(v, _mm256_cmpgt_epi32(a, b));
    }
    // The lanes of `v` where a == b, and elsewhere the lanes of `other`.
    GUFO_INLINE static Ints whereEqual(Ints a, Ints b, Ints v, Ints other) {
        return _mm256_blendv_epi8(other, v, _mm256_cmpeq_epi32(a, b));
    }
    // The even or odd codes of dwords of four bytes, sign-extended to two 16-bit numbers: c0 c1 c2 c3 → c0 c2, or c1
    // c3.
    GUFO_INLINE static Ints evenCodes(Ints codes) { return _mm256_srai_epi16(_mm256_slli_epi16(codes, 8), 8); }
    GUFO_INLINE static Ints oddCodes(Ints codes) { return _mm256_srai_epi16(codes, 8); }
    // As many bytes as a vector has 16-bit numbers, sign-extended to these.
    GUFO_INLINE static Ints loadBytes(const std::byte* from) {
        return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    // As many halves as a vector has floats.
    GUFO_INLINE static Floats loadHalves(const std::byte* from) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    // Prevents GCC from loading the vector again for its second use.
    GUFO_INLINE static Ints kept(Ints v) {
        asm("" : "+x"(v));
        return v;
    }

    // Adds the products of 16-bit numbers, in pairs. With intrinsics, GCC computes all products first and then keeps
    // sums in memory.
    GUFO_INLINE static void addProducts(Ints& sums, Ints a, Ints b) {
        Ints products;
        asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(sums), "=&x"(products) : "x"(a), "x"(b));
    }
    // Rounds two vectors of floats, times a factor, to 16-bit integers, in order.
    GUFO_INLINE static Ints rounded16(Floats low, Floats high, Floats factor) {
        const Ints first = _mm256_cvtps_epi32(_mm256_mul_ps(low, factor));
        const Ints second = _mm256_cvtps_epi32(_mm256_mul_ps(high, factor));
        return _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), _MM_SHUFFLE(3, 1, 2, 0));
    }

    // Of each four 16-bit numbers, the even ones before the odd ones: 0 1 2 3 → 0 2 1 3.
    GUFO_INLINE static Ints evenBeforeOdd(Ints v) {
        constexpr int kOrder = _MM_SHUFFLE(3, 1, 2, 0);
        return _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(v, kOrder), kOrder);
    }

    // Interleaves the 16-bit numbers of two rows of 16 columns: low has the pairs of the columns 0 … 3 and 8 … 11, and
    // high the others.
    GUFO_INLINE static Ints pairsLow(Ints a, Ints b) { return _mm256_unpacklo_epi16(a, b); }
    GUFO_INLINE static Ints pairsHigh(Ints a, Ints b) { return _mm256_unpackhi_epi16(a, b); }
    // Of sums in that order, the columns 8 k … 8 k + 7.
    template<std::size_t k>
    GUFO_INLINE static Ints columnsOf(Ints low, Ints high) {
        return _mm256_permute2x128_si256(low, high, k == 0 ? 0x20 : 0x31);
    }
    // Adds values, times a factor, to the first `elements` floats of a vector; to none if `elements` is 0.
    GUFO_INLINE static void addTo(float* to, std::size_t elements, Floats values, Floats factor) {
        if (elements >= kLanes) {
            _mm256_storeu_ps(to, _mm256_fmadd_ps(values, factor, _mm256_loadu_ps(to)));
        } else if (elements != 0) {
            const Ints lanes = firstLanes(elements);
            _mm256_maskstore_ps(to, lanes, _mm256_fmadd_ps(values, factor, _mm256_maskload_ps(to, lanes)));
        }
    }

    // Transposes a square of dwords: dword i of row r becomes dword r of the vector at out(i). rowAt(r) returns row r.
    template<typename RowAt, typename Out>
    static void transpose(const RowAt& rowAt, const Out& out) {
        Ints rows[kLanes];
        Ints columns[kLanes];
        for (std::size_t i = 0; i < kLanes; ++i) {
            rows[i] = rowAt(i);
        }
        ::transpose(rows, columns);
        for (std::size_t i = 0; i < kLanes; ++i) {
            std::memcpy(out(i), columns + i, sizeof columns[i]);
        }
    }

private:
    GUFO_INLINE static Ints firstLanes(std::size_t count) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
};

} // namespace

} // namespace gufo::avx2

// They use the vectors above.
#include "tensor/kernels/x86/attention_f16.h"
#include "tensor/kernels/x86/attention_q8.h"

namespace gufo::avx2 {

void installIntegerAttention(AttentionKernels& kernels) {
    kernels.types[TensorType::F16] = {.score = attention_f16::score<Vectors16, scoreF16AsFloats>,
                                      .scoreTiles = attention_f16::scoreTiles<Vectors16>,
                                      .gather = attention_f16::gather<Vectors16>};
    auto& q8 = kernels.types[TensorType::Q8_0];
    q8.scoreTiles = attention_q8::scoreTiles<Vectors16>;
    q8.gather = attention_q8::gather<Vectors16>;
}

} // namespace gufo::avx2
