// AVX2 primitives of the portable kernels.
#pragma once

#include "tensor/kernels/portable/vectors.h"

#include <immintrin.h>

namespace {

inline float half(const void* from) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(get<std::uint16_t>(from)))); }

inline I8x16 lookUp(I8x16 table, U8x16 codes) {
    return reinterpret_cast<I8x16>(
        _mm_shuffle_epi8(reinterpret_cast<__m128i>(table), reinterpret_cast<__m128i>(codes)));
}

inline bool any(I32x8 mask) {
    const auto bits = reinterpret_cast<__m256i>(mask);
    return _mm256_testz_si256(bits, bits) == 0;
}

// a × b + c, rounded once.
inline F32x8 multiplyAdd(F32x8 a, F32x8 b, F32x8 c) {
    return reinterpret_cast<F32x8>(
        _mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}

inline F64x4 multiplyAdd(F64x4 a, F64x4 b, F64x4 c) {
    return reinterpret_cast<F64x4>(
        _mm256_fmadd_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(c)));
}

// GCC 12 converts the two halves of __builtin_convertvector(values, F64x4) separately.
inline F64x4 doubles(F32x4 values) {
    return reinterpret_cast<F64x4>(_mm256_cvtps_pd(reinterpret_cast<__m128>(values)));
}
inline F64x4 doubles(I32x4 values) {
    return reinterpret_cast<F64x4>(_mm256_cvtepi32_pd(reinterpret_cast<__m128i>(values)));
}

// Where one of the operands is NaN, the second one is returned.
inline F32x8 smaller(F32x8 a, F32x8 b) {
    return reinterpret_cast<F32x8>(_mm256_min_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
}
inline F32x8 larger(F32x8 a, F32x8 b) {
    return reinterpret_cast<F32x8>(_mm256_max_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b)));
}
inline U32x8 smaller(U32x8 a, U32x8 b) {
    return reinterpret_cast<U32x8>(_mm256_min_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
inline U32x8 larger(U32x8 a, U32x8 b) {
    return reinterpret_cast<U32x8>(_mm256_max_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
inline F64x4 larger(F64x4 a, F64x4 b) {
    return reinterpret_cast<F64x4>(_mm256_max_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
}

// Stores eight numbers below 65,536 as 16-bit numbers.
inline void narrow(std::uint16_t* out, I32x8 numbers) {
    const auto all = reinterpret_cast<__m256i>(numbers);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                     _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1)));
}

// Stores thirty-two numbers below 256 as bytes, in pairs that begin with the smaller one.
inline void storePairs(std::uint8_t* out, const I32x8 (&numbers)[4]) {
    const __m256i a = _mm256_packs_epi32(reinterpret_cast<__m256i>(numbers[0]), reinterpret_cast<__m256i>(numbers[1]));
    const __m256i b = _mm256_packs_epi32(reinterpret_cast<__m256i>(numbers[2]), reinterpret_cast<__m256i>(numbers[3]));
    const __m256i upper = _mm256_slli_epi16(_mm256_max_epi16(a, b), 8);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_or_si256(_mm256_min_epi16(a, b), upper));
}

// Stores sixteen levels times a scale.
inline void put16(float* out, I8x16 levels, float scale) {
    const auto bytes = reinterpret_cast<__m128i>(levels);
    const __m256 factor = _mm256_set1_ps(scale);
    const __m256 low = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
    const __m256 high = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_unpackhi_epi64(bytes, bytes)));
    _mm256_storeu_ps(out, _mm256_mul_ps(low, factor));
    _mm256_storeu_ps(out + 8, _mm256_mul_ps(high, factor));
}
// The same, minus a minimum.
inline void put16(float* out, I8x16 levels, float scale, float minimum) {
    const auto bytes = reinterpret_cast<__m128i>(levels);
    const __m256 factor = _mm256_set1_ps(scale);
    const __m256 m = _mm256_set1_ps(minimum);
    const __m256 low = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
    const __m256 high = _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_unpackhi_epi64(bytes, bytes)));
    _mm256_storeu_ps(out, _mm256_sub_ps(_mm256_mul_ps(low, factor), m));
    _mm256_storeu_ps(out + 8, _mm256_sub_ps(_mm256_mul_ps(high, factor), m));
}

inline F32x8 eightHalves(const std::byte* from) {
    return reinterpret_cast<F32x8>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
inline F32x8 eightBrains(const std::byte* from) {
    const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return reinterpret_cast<F32x8>(_mm256_slli_epi32(_mm256_cvtepu16_epi32(eight), 16));
}

inline void decodeF16(const std::byte* from, std::size_t count, float* out) {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store8(out + i, eightHalves(from + 2 * i));
    }
    for (; i < count; ++i) {
        out[i] = half(from + 2 * i);
    }
}

inline void decodeBF16(const std::byte* from, std::size_t count, float* out) {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        store8(out + i, eightBrains(from + 2 * i));
    }
    for (; i < count; ++i) {
        out[i] = asFloat(static_cast<std::uint32_t>(get<std::uint16_t>(from + 2 * i)) << 16U);
    }
}

} // namespace
