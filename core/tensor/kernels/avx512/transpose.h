// Squares of elements turned over. Everything has internal linkage.
#pragma once

#include <immintrin.h>

namespace gufo::avx512 {
namespace {

// A square of 16 × 16 elements of 32 bits, rows to columns; out(i) says where column i goes.
template<typename Out>
inline void transpose(const __m512i (&in)[16], const Out& out) {
    __m512i pairs[16];
    for (int i = 0; i < 16; i += 2) {
        pairs[i] = _mm512_unpacklo_epi32(in[i], in[i + 1]);
        pairs[i + 1] = _mm512_unpackhi_epi32(in[i], in[i + 1]);
    }
    __m512i fours[16];
    for (int i = 0; i < 16; i += 4) {
        fours[i] = _mm512_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm512_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm512_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm512_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {
        const __m512i a = _mm512_shuffle_i32x4(fours[i], fours[i + 4], 0x88);
        const __m512i b = _mm512_shuffle_i32x4(fours[i + 8], fours[i + 12], 0x88);
        const __m512i c = _mm512_shuffle_i32x4(fours[i], fours[i + 4], 0xDD);
        const __m512i d = _mm512_shuffle_i32x4(fours[i + 8], fours[i + 12], 0xDD);
        _mm512_store_si512(out(i), _mm512_shuffle_i32x4(a, b, 0x88));
        _mm512_store_si512(out(i + 4), _mm512_shuffle_i32x4(c, d, 0x88));
        _mm512_store_si512(out(i + 8), _mm512_shuffle_i32x4(a, b, 0xDD));
        _mm512_store_si512(out(i + 12), _mm512_shuffle_i32x4(c, d, 0xDD));
    }
}

} // namespace
} // namespace gufo::avx512
