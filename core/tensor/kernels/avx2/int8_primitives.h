// AVX2 primitives of the portable 8-bit products, with or without VNNI. The including file has defined, in its unnamed
// namespace:
//
//     addFours(sums, codes, x)    adds four products of codes (0 … 127) and x to each 32-bit sum
//     kVnni                       whether codes may reach 255
#pragma once

#include "tensor/kernels/avx2/int8_codes.h"
#include "tensor/kernels/portable/int8_kinds.h"
#include "tensor/kernels/products.h"

#include <bit>

namespace {

// --- rounding

inline I32x8 rounded(F32x8 v) { return reinterpret_cast<I32x8>(_mm256_cvtps_epi32(reinterpret_cast<__m256>(v))); }
// Narrows four vectors p0 … p3 of eight integers to 32 bytes in order. The pack instructions work within each half of a
// vector, so they leave groups of four bytes; l marks groups from the low half, and h groups from the high half:
//
//   both    p0l p1l p2l p3l │ p0h p1h p2h p3h
//   result  p0l p0h p1l p1h │ p2l p2h p3l p3h
inline Bytes narrowed(const I32x8 (&parts)[4]) {
    const auto part = [&](int i) { return reinterpret_cast<__m256i>(parts[i]); };
    const __m256i both = _mm256_packs_epi16(_mm256_packs_epi32(part(0), part(1)), _mm256_packs_epi32(part(2), part(3)));
    return asBytes(_mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}
// Sums each group of four adjacent signed bytes.
inline I32x8 sumFours(Bytes v) {
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), native(v));
    return reinterpret_cast<I32x8>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

// --- products

// The number of pairwise sums of products that can be added in 16 bits; 0 for signed codes.
template<typename Type>
constexpr int kPairSums = kVnni                           ? 1
                          : Type::kCodes == Codes::Signed ? 0
                          : Type::kMaxCode <= 16          ? 8
                          : Type::kMaxCode <= 32          ? 4
                          : Type::kMaxCode <= 64          ? 2
                                                          : 1;

// --- measuring the peak (ProductKernels::peakInt8)

inline std::uint64_t multiplyFoursOften() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 10; // more than the latency times the number of products started per cycle
    __m256i sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = _mm256_set1_epi32(static_cast<int>(k));
    }
    __m256i codes = _mm256_set1_epi8(3);
    const __m256i values = _mm256_set1_epi8(-5);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 10
        for (std::size_t k = 0; k < kChains; ++k) {
            asm volatile("" : "+x"(codes)); // prevents the compiler from computing the product only once
            sums[k] = addFours(sums[k], codes, values);
        }
    }
    for (const __m256i sum : sums) {
        asm volatile("" : : "x"(sum));
    }
    return kRounds * kChains * 32;
}

} // namespace
