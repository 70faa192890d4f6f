#include "tensor/kernels/kernels.h"

#include <cstring>
#include <immintrin.h>

namespace {

using Floats = float __attribute__((vector_size(32)));

inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
    return reinterpret_cast<Floats>(
        _mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}
inline __m128i load8(const std::byte* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
inline Floats loadF16(const std::byte* from) { return reinterpret_cast<Floats>(_mm256_cvtph_ps(load8(from))); }
inline Floats loadBf16(const std::byte* from) {
    return reinterpret_cast<Floats>(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load8(from)), 16));
}
inline Floats signedBytes(const std::byte* from) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
    return reinterpret_cast<Floats>(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
}
inline float half(const std::byte* from) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits)));
}

constexpr std::size_t kTogether = 4;

} // namespace

#include "tensor/kernels/portable/attention.h"

namespace gufo::avx2 {

void scoreF16AsFloats(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                      float* scores, std::size_t stride) {
    score<F16Row>(rows, count, queries, queryCount, scores, stride);
}

void installAttention(AttentionKernels& kernels) {
    installPortableAttention(kernels);
    installIntegerAttention(kernels);
}

} // namespace gufo::avx2
