// AVX2 for taking the types of the portable products of eight bits apart (portable/int8_types.h).
#pragma once

#include "tensor/kernels/avx2/primitives.h"

namespace {

// --- codes

using Bytes = std::uint8_t __attribute__((vector_size(32))); // of a block of 32 weights

inline __m256i native(Bytes v) { return reinterpret_cast<__m256i>(v); }
inline Bytes asBytes(__m256i v) { return reinterpret_cast<Bytes>(v); }
inline __m256i load32(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

inline Bytes bytes32(const void* from) { return asBytes(load32(from)); }
inline Bytes joined(U8x16 low, U8x16 high) {
    return asBytes(_mm256_set_m128i(reinterpret_cast<__m128i>(high), reinterpret_cast<__m128i>(low)));
}
// Eight bytes from each of four places, and four from each of eight.
inline Bytes eights(const void* a, const void* b, const void* c, const void* d) {
    const auto two = [](const void* low, const void* high) {
        const __m128d first = _mm_load_sd(static_cast<const double*>(low));
        return _mm_castpd_si128(_mm_loadh_pd(first, static_cast<const double*>(high)));
    };
    return asBytes(_mm256_set_m128i(two(c, d), two(a, b)));
}
inline Bytes fours(const void* a, const void* b, const void* c, const void* d, const void* e, const void* f,
                   const void* g, const void* h) {
    const auto four = [](const void* p, const void* q, const void* r, const void* s) {
        const auto two = [](const void* low, const void* high) {
            return _mm_insert_epi32(_mm_cvtsi32_si128(get<std::int32_t>(low)), get<std::int32_t>(high), 1);
        };
        return _mm_unpacklo_epi64(two(p, q), two(r, s));
    };
    return asBytes(_mm256_set_m128i(four(e, f, g, h), four(a, b, c, d)));
}
// The low nibbles of sixteen bytes, then the high ones.
inline Bytes nibbles(const void* from) {
    const __m256i twice = _mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(from)));
    const __m256i shifted = _mm256_srlv_epi64(twice, _mm256_setr_epi64x(0, 0, 4, 4));
    return asBytes(_mm256_and_si256(shifted, _mm256_set1_epi8(15)));
}
// Of each eight bytes in turn.
inline Bytes nibblesOfEights(const void* from) {
    return asBytes(_mm256_permute4x64_epi64(native(nibbles(from)), 0xD8));
}
// Bits from `shift` on, as many as the mask has.
inline Bytes field(Bytes from, int shift, std::uint8_t mask) {
    return asBytes(_mm256_and_si256(_mm256_srli_epi16(native(from), shift), _mm256_set1_epi8(static_cast<char>(mask))));
}
// Moved up, without leaving a byte.
inline Bytes raised(Bytes small, int by) { return asBytes(_mm256_slli_epi16(native(small), by)); }
inline Bytes lookUp(I8x16 table, Bytes codes) {
    const __m256i both = _mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(table));
    return asBytes(_mm256_shuffle_epi8(both, native(codes)));
}
// 0 or 0xFF for each of 32 bits.
inline Bytes maskOf(std::uint32_t bits) {
    const __m256i places = _mm256_setr_epi64x(0, 0x0101'0101'0101'0101, 0x0202'0202'0202'0202, 0x0303'0303'0303'0303);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), places);
    const __m256i select = _mm256_set1_epi64x(static_cast<long long>(0x8040'2010'0804'0201U));
    return asBytes(_mm256_cmpeq_epi8(_mm256_and_si256(spread, select), select));
}
// The 32 fields of two bits of a number, lowest first.
inline Bytes twoBitFields(std::uint64_t fields) {
    // Each byte twice, in the upper halves of 16 bits, once for its lower and once for its upper fields; a product
    // moves the two to bytes of their own.
    const __m256i places = _mm256_setr_epi8(-1, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 3, -1, 3, //
                                            -1, 4, -1, 4, -1, 5, -1, 5, -1, 6, -1, 6, -1, 7, -1, 7);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi64x(static_cast<long long>(fields)), places);
    const __m256i halves = _mm256_and_si256(spread, _mm256_set1_epi32(static_cast<int>(0xF000'0F00U)));
    const __m256i factors = _mm256_set1_epi32((1 << 8 | 1 << 14) | (1 << 4 | 1 << 10) << 16);
    return asBytes(_mm256_and_si256(_mm256_mulhi_epu16(halves, factors), _mm256_set1_epi8(3)));
}

// 0xFF where a byte is at least that, else 0.
inline Bytes reached(Bytes v, std::uint8_t least) {
    const __m256i limit = _mm256_set1_epi8(static_cast<char>(least));
    return asBytes(_mm256_cmpeq_epi8(_mm256_max_epu8(native(v), limit), native(v)));
}

// --- scales

inline void store8(float* to, F32x8 v) { std::memcpy(to, &v, sizeof v); }
// Eight halves that stand `stride` bytes apart: word i of sixteen bytes that begin as many words before half i.
template<std::size_t stride>
inline F32x8 eachHalf(const std::byte* from) {
    static_assert(stride >= 18, "nothing but eight blocks is read");
    const auto at = [from](std::size_t i) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + (stride - 2) * i));
    };
    __m128i halves = _mm_blend_epi16(at(0), at(1), 2);
    halves = _mm_blend_epi16(halves, at(2), 4);
    halves = _mm_blend_epi16(halves, at(3), 8);
    halves = _mm_blend_epi16(halves, at(4), 16);
    halves = _mm_blend_epi16(halves, at(5), 32);
    halves = _mm_blend_epi16(halves, at(6), 64);
    halves = _mm_blend_epi16(halves, at(7), 128);
    return reinterpret_cast<F32x8>(_mm256_cvtph_ps(halves));
}
// Eight signed bytes.
inline F32x8 floatsOf(std::uint64_t eight) {
    const __m128i own = _mm_cvtsi64_si128(static_cast<long long>(eight));
    return reinterpret_cast<F32x8>(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(own)));
}

} // namespace
