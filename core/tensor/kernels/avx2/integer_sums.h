// The common parts of the attention kernels that compute in 16-bit integers: one instruction multiplies 16 integers and
// adds the products in pairs, but multiplies only eight floats. Included by AVX2 translation units only; everything has
// internal linkage.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace gufo::avx2 {
namespace {

constexpr std::size_t kTogether = 4; // queries whose sums fit in registers

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }
inline __m256i load32(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

// Adds the products of pairs. With intrinsics, GCC computes all products first and then keeps sums in memory.
[[gnu::always_inline]] inline void addProducts(__m256i& sums, __m256i a, __m256i b) {
    __m256i products;
    asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0" : "+x"(sums), "=&x"(products) : "x"(a), "x"(b));
}

// A mask of the first `count` of eight lanes, for what lies at the end of an array.
inline __m256i firstLanes(std::size_t count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

// Calls work(first, index_sequence<count>()) for groups of queries that are processed together.
template<typename Work>
inline void forQueries(std::size_t count, const Work& work) {
    std::size_t q = 0;
    const auto runGroups = [&]<std::size_t together>(std::index_sequence<together> number) {
        for (; q + together <= count; q += together) {
            work(q, number);
        }
    };
    runGroups(std::index_sequence<kTogether>());
    runGroups(std::index_sequence<2>());
    runGroups(std::index_sequence<1>());
}

// Rounds sixteen floats times a factor to 16-bit integers, in order.
inline __m256i rounded16(const float* from, __m256 factor) {
    const __m256i low = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_load_ps(from), factor));
    const __m256i high = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_load_ps(from + 8), factor));
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), _MM_SHUFFLE(3, 1, 2, 0));
}

// Sums of 16 columns in the order in which unpacking rows leaves them: low has the columns 0 … 3 and 8 … 11, and high
// the others. Returns the columns 8 k … 8 k + 7.
template<std::size_t k>
inline __m256i columnsOf(__m256i low, __m256i high) {
    return _mm256_permute2x128_si256(low, high, k == 0 ? 0x20 : 0x31);
}

// Adds sums, which count multiples of `unit`, to the first `elements` of eight floats.
inline void addTo(float* to, std::size_t elements, __m256i sums, __m256 unit) {
    const __m256 values = _mm256_cvtepi32_ps(sums);
    if (elements >= 8) {
        _mm256_storeu_ps(to, _mm256_fmadd_ps(values, unit, _mm256_loadu_ps(to)));
    } else if (elements != 0) {
        const __m256i lanes = firstLanes(elements);
        _mm256_maskstore_ps(to, lanes, _mm256_fmadd_ps(values, unit, _mm256_maskload_ps(to, lanes)));
    }
}

} // namespace
} // namespace gufo::avx2
