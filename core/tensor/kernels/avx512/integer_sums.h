// What the attention kernels in 16-bit integers have in common: one instruction adds 32 of their products, instead of
// 16 of floats. Included by AVX-512 translation units only; everything has internal linkage.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <immintrin.h>

namespace gufo::avx512 {
namespace {

inline std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }
inline __m512i load64(const void* from) { return _mm512_loadu_si512(from); }

// The intrinsic would copy the sums between registers.
[[gnu::always_inline]] inline void addProducts(__m512i& sums, __m512i a, __m512i b) {
    asm("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(a), "v"(b));
}

constexpr std::size_t kGathered = 8; // queries whose sums fit in registers

// Calls work(first, index_sequence<count>()) for groups of queries whose sums are computed together.
template<typename Work>
void forGathered(std::size_t count, const Work& work) {
    std::size_t q = 0;
    const auto runGroups = [&]<std::size_t together>(std::index_sequence<together> number) {
        for (; q + together <= count; q += together) {
            work(q, number);
        }
    };
    runGroups(std::index_sequence<kGathered>());
    runGroups(std::index_sequence<4>());
    runGroups(std::index_sequence<2>());
    runGroups(std::index_sequence<1>());
}

// Sums of 32 columns in the order in which unpacking rows leaves them: low has the columns 0 … 3, 8 … 11, 16 … 19 and
// 24 … 27, and high the others. Returns the columns 16 k … 16 k + 15.
template<std::size_t k>
inline __m512i columnsOf(__m512i low, __m512i high) {
    const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    return _mm512_permutex2var_epi32(low, _mm512_add_epi32(order, _mm512_set1_epi32(8 * k)), high);
}

} // namespace
} // namespace gufo::avx512
