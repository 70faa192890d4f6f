// What the AVX2 products of strips (portable/strip.h) have in common.
//
// GCC reorders integer sums so that more of them are alive at a time than there are registers. kept() prevents this,
// and that weights are loaded again for each use, because loads take as long as the products.
#pragma once

#include "tensor/kernels/avx2/primitives.h"
#include "tensor/kernels/portable/unrolled.h"

namespace {

constexpr std::size_t kLanes = 8; // rows of a tile
constexpr std::size_t kTokens = 4;
using Ints = I32x8;
using Floats = F32x8;

inline Ints asInts(__m256i v) { return reinterpret_cast<Ints>(v); }
inline Ints allLanes(std::int32_t value) { return asInts(_mm256_set1_epi32(value)); }
inline Floats allLanes(float value) { return reinterpret_cast<Floats>(_mm256_set1_ps(value)); }
inline Floats toFloats(Ints v) { return reinterpret_cast<Floats>(_mm256_cvtepi32_ps(reinterpret_cast<__m256i>(v))); }

template<typename Vector>
GUFO_INLINE inline Vector kept(Vector v) {
    asm("" : "+x"(v));
    return v;
}

// Calls work(0), work(1) …, with constant indices but for builds with sanitizers (unrolled.h).
template<std::size_t count, typename Work>
GUFO_INLINE inline void repeated(const Work& work) {
    if constexpr (kChecked) {
        for (std::size_t i = 0; i < count; ++i) {
            work(i);
        }
    } else {
        unrolled(Times<count>(), work);
    }
}

// Calls work(t, i) for all tokens and both of two tiles.
template<std::size_t tokens, typename Work>
GUFO_INLINE inline void forTokensAndTiles(const Work& work) {
    repeated<2 * tokens>([&](std::size_t k) GUFO_INLINE { work(k / 2, k % 2); });
}

// Transposes an 8 × 8 matrix of dwords: lane r of columns[g] is dword g of row r. With rows a … h:
//
//   pairs[0], [1]   a0 b0 a1 b1 │ a4 b4 a5 b5      a2 b2 a3 b3 │ a6 b6 a7 b7
//   fours[0]        a0 b0 c0 d0 │ a4 b4 c4 d4      fours[k]: columns k │ k + 4 of rows a … d
//   fours[4]        e0 f0 g0 h0 │ e4 f4 g4 h4      fours[4 + k]: the same of rows e … h
//   columns[0]      a0 b0 c0 d0 │ e0 f0 g0 h0      0x20: low halves; columns[4] with 0x31: high halves
inline void transpose(const __m256i (&rows)[8], __m256i (&columns)[8]) {
    __m256i pairs[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
        pairs[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    __m256i fours[8];
    for (int i = 0; i < 8; i += 4) {
        fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {
        columns[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
        columns[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
    }
}

} // namespace
