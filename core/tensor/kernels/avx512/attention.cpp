#include "tensor/kernels/kernels.h"

#include <cstring>
#include <immintrin.h>

namespace {

using Floats = float __attribute__((vector_size(64)));

inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
    return reinterpret_cast<Floats>(
        _mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}
inline __m256i load16(const std::byte* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
inline Floats loadF16(const std::byte* from) { return reinterpret_cast<Floats>(_mm512_cvtph_ps(load16(from))); }
inline Floats loadBf16(const std::byte* from) {
    return reinterpret_cast<Floats>(_mm512_slli_epi32(_mm512_cvtepu16_epi32(load16(from)), 16));
}
inline Floats signedBytes(const std::byte* from) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return reinterpret_cast<Floats>(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)));
}
inline float half(const std::byte* from) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits)));
}

constexpr std::size_t kTogether = 8;

} // namespace

#include "tensor/kernels/portable/attention.h"

namespace gufo::avx512 {

void scoreF16AsFloats(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                      float* scores, std::size_t stride) {
    score<F16Row>(rows, count, queries, queryCount, scores, stride);
}

void installAttention(AttentionKernels& kernels) {
    installPortableAttention(kernels);
    installIntegerAttention(kernels);
}

} // namespace gufo::avx512
