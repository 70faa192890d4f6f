// Transposition of square matrices. Everything has internal linkage.
#pragma once

#include <immintrin.h>

namespace gufo::avx512 {
namespace {

// Transposes a 16 × 16 matrix of 32-bit elements. out(i) is the destination of column i. With rows a … p and groups of
// four lanes:
//
//   in[0]      a0  a1  a2  a3  │ a4  a5  a6  a7  │ a8 …            │ a12 …
//   pairs[0]   a0  b0  a1  b1  │ a4  b4  a5  b5  │ a8  b8  a9  b9  │ a12 b12 a13 b13
//   fours[0]   a0  b0  c0  d0  │ a4  b4  c4  d4  │ a8  b8  c8  d8  │ a12 b12 c12 d12
//   out(0)     a0  b0  c0  d0  │ e0  f0  g0  h0  │ i0  j0  k0  l0  │ m0  n0  o0  p0
//
// fours[i + k] has the columns k, k + 4, k + 8 and k + 12 of rows i … i + 3. a … d below collect the even (0x88) or odd
// (0xDD) groups of two such vectors.
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
