// AVX2 primitives that unpack the types of the portable 8-bit products (portable/int8_types.h).
#pragma once

#include "tensor/kernels/avx2/primitives.h"

namespace {

// --- codes

using Bytes = std::uint8_t __attribute__((vector_size(32))); // codes of a block of 32 weights

inline __m256i native(Bytes v) { return reinterpret_cast<__m256i>(v); }
inline Bytes asBytes(__m256i v) { return reinterpret_cast<Bytes>(v); }
inline __m256i load32(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

inline Bytes bytes32(const void* from) { return asBytes(load32(from)); }
inline Bytes joined(U8x16 low, U8x16 high) {
    return asBytes(_mm256_set_m128i(reinterpret_cast<__m128i>(high), reinterpret_cast<__m128i>(low)));
}
// Gathers eight bytes from each of four addresses, or four from each of eight.
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
// The low nibbles of sixteen bytes, followed by the high ones.
inline Bytes nibbles(const void* from) {
    const __m256i twice = _mm256_broadcastsi128_si256(_mm_loadu_si128(static_cast<const __m128i*>(from)));
    const __m256i shifted = _mm256_srlv_epi64(twice, _mm256_setr_epi64x(0, 0, 4, 4));
    return asBytes(_mm256_and_si256(shifted, _mm256_set1_epi8(15)));
}
// The same for each group of eight bytes: the low nibbles of bytes 0 … 7, their high nibbles, then both of bytes 8 …
// 15.
inline Bytes nibblesOfEights(const void* from) {
    return asBytes(_mm256_permute4x64_epi64(native(nibbles(from)), 0xD8));
}
// Extracts the bits from `shift` on that the mask selects.
inline Bytes field(Bytes from, int shift, std::uint8_t mask) {
    return asBytes(_mm256_and_si256(_mm256_srli_epi16(native(from), shift), _mm256_set1_epi8(static_cast<char>(mask))));
}
// Shifts each byte left. No set bit may be shifted out of its byte.
inline Bytes raised(Bytes small, int by) { return asBytes(_mm256_slli_epi16(native(small), by)); }
inline Bytes lookUp(I8x16 table, Bytes codes) {
    const __m256i both = _mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(table));
    return asBytes(_mm256_shuffle_epi8(both, native(codes)));
}
// Expands 32 bits to bytes of 0 or 0xFF, the lowest first: 0b101 becomes 0xFF, 0, 0xFF.
inline Bytes maskOf(std::uint32_t bits) {
    const __m256i places = _mm256_setr_epi64x(0, 0x0101'0101'0101'0101, 0x0202'0202'0202'0202, 0x0303'0303'0303'0303);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), places);
    const __m256i select = _mm256_set1_epi64x(static_cast<long long>(0x8040'2010'0804'0201U));
    return asBytes(_mm256_cmpeq_epi8(_mm256_and_si256(spread, select), select));
}
// Expands a number to its 32 fields of two bits, lowest first.
inline Bytes twoBitFields(std::uint64_t fields) {
    // Each byte is placed in the upper halves of two 16-bit words, and a mask keeps one nibble in each word. The high
    // half of the product with two powers of two has that nibble at two distances:
    //
    //   word                       f3 f2 f1 f0 0 0 0 0      fields of two bits, highest first
    //   & 0x0F00, × (2^8 + 2^14)   f0 from bit 0 on, f1 from bit 8 on
    //   & 0xF000, × (2^4 + 2^10)   f2 from bit 0 on, f3 from bit 8 on
    const __m256i places = _mm256_setr_epi8(-1, 0, -1, 0, -1, 1, -1, 1, -1, 2, -1, 2, -1, 3, -1, 3, //
                                            -1, 4, -1, 4, -1, 5, -1, 5, -1, 6, -1, 6, -1, 7, -1, 7);
    const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi64x(static_cast<long long>(fields)), places);
    const __m256i halves = _mm256_and_si256(spread, _mm256_set1_epi32(static_cast<int>(0xF000'0F00U)));
    const __m256i factors = _mm256_set1_epi32((1 << 8 | 1 << 14) | (1 << 4 | 1 << 10) << 16);
    return asBytes(_mm256_and_si256(_mm256_mulhi_epu16(halves, factors), _mm256_set1_epi8(3)));
}

// 0xFF if a byte is at least `least`, otherwise 0.
inline Bytes reached(Bytes v, std::uint8_t least) {
    const __m256i limit = _mm256_set1_epi8(static_cast<char>(least));
    return asBytes(_mm256_cmpeq_epi8(_mm256_max_epu8(native(v), limit), native(v)));
}

// --- scales

// Loads eight halves that are `stride` bytes apart. Load i starts i words before half i, so that the half is word i of
// the vector and blending needs no shuffle.
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
// Converts eight signed bytes.
inline F32x8 floatsOf(std::uint64_t eight) {
    const __m128i packed = _mm_cvtsi64_si128(static_cast<long long>(eight));
    return reinterpret_cast<F32x8>(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(packed)));
}

} // namespace
