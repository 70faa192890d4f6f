// Primitives of the AVX-512 decoders. Included by AVX-512 translation units only; everything has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace gufo::avx512 {
namespace {

template<typename T>
inline T get(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline __m128i load16(const std::byte* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
inline __m256i load32(const std::byte* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
inline __m512i load64(const std::byte* from) { return _mm512_loadu_si512(from); }

// Broadcasts a half as float.
inline __m512 half(const std::byte* from) { return _mm512_cvtph_ps(_mm256_set1_epi16(get<std::int16_t>(from))); }

inline __m128i lowNibbles(__m128i bytes) { return _mm_and_si128(bytes, _mm_set1_epi8(15)); }
inline __m128i highNibbles(__m128i bytes) { return _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15)); }
inline __m256i lowNibbles(__m256i bytes) { return _mm256_and_si256(bytes, _mm256_set1_epi8(15)); }
inline __m256i highNibbles(__m256i bytes) {
    return _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15));
}

inline __m128i lower(__m256i bytes) { return _mm256_castsi256_si128(bytes); }
inline __m128i upper(__m256i bytes) { return _mm256_extracti128_si256(bytes, 1); }

// The levels 0 … 15.
inline __m512 ramp() { return _mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }

// Stores the table values of sixteen codes less than 16.
inline void lookUp16(float* out, __m128i codes, __m512 table) {
    _mm512_storeu_ps(out, _mm512_permutexvar_ps(_mm512_cvtepu8_epi32(codes), table));
}
// The same for codes less than 32.
inline void lookUp16(float* out, __m128i codes, __m512 table, __m512 tableFrom16) {
    _mm512_storeu_ps(out, _mm512_permutex2var_ps(table, _mm512_cvtepu8_epi32(codes), tableFrom16));
}
// Stores sixteen signed levels times a scale, and in the second overload minus a minimum.
inline void scale16(float* out, __m128i levels, __m512 scale) {
    _mm512_storeu_ps(out, _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(levels)), scale));
}
inline void scale16(float* out, __m128i levels, __m512 scale, __m512 minimum) {
    const __m512 product = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(levels)), scale);
    _mm512_storeu_ps(out, _mm512_sub_ps(product, minimum));
}

// The sixteen scales of a super-block in memory, from which each can be broadcast.
struct Scales {
    alignas(64) float values[16];
    explicit Scales(__m512 scales) { _mm512_store_ps(values, scales); }
    [[nodiscard]] __m512 operator[](std::size_t i) const { return _mm512_set1_ps(values[i]); }
};

} // namespace
} // namespace gufo::avx512
