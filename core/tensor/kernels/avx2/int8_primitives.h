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
// vector, so they leave groups of four bytes, of which l comes from the low half and h from the high half:
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

// --- strips

constexpr std::size_t kLanes = 8; // rows of a tile
constexpr std::size_t kTokens = 4;
using Ints = I32x8;
using Floats = F32x8;
using TileBytes = Bytes; // four weights of each row

inline Floats toFloats(Ints v) { return reinterpret_cast<Floats>(_mm256_cvtepi32_ps(reinterpret_cast<__m256i>(v))); }

// The form of codes in tiles: with VNNI never negative, otherwise less than 128 or signed.
template<typename Type>
constexpr int kTileOffset = Type::kCodes == Codes::Signed ? (kVnni ? 128 : 0) : Type::kOffset;
template<typename Type>
inline Bytes tileCodes(Bytes codes) {
    return kVnni && Type::kCodes == Codes::Signed ? codes ^ 0x80 : codes;
}
// The number of pairwise sums of products that can be added in 16 bits; 0 for signed codes.
template<typename Type>
constexpr int kPairSums = kVnni                           ? 1
                          : Type::kCodes == Codes::Signed ? 0
                          : Type::kMaxCode <= 16          ? 8
                          : Type::kMaxCode <= 32          ? 4
                          : Type::kMaxCode <= 64          ? 2
                                                          : 1;

// Transposes 32 codes of eight rows as an 8 × 8 matrix of dwords (four codes each): lane r of groups[g] is dword g of
// row r. With rows a … h:
//
//   pairs[0], [1]   a0 b0 a1 b1 │ a4 b4 a5 b5      a2 b2 a3 b3 │ a6 b6 a7 b7
//   fours[0]        a0 b0 c0 d0 │ a4 b4 c4 d4      fours[k]: columns k │ k + 4 of rows a … d
//   fours[4]        e0 f0 g0 h0 │ e4 f4 g4 h4      fours[4 + k]: the same of rows e … h
//   groups[0]       a0 b0 c0 d0 │ e0 f0 g0 h0      0x20: low halves; groups[4] with 0x31: high halves
inline void interleave(const Bytes (&rows)[kLanes], TileBytes* groups) {
    __m256i pairs[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = _mm256_unpacklo_epi32(native(rows[i]), native(rows[i + 1]));
        pairs[i + 1] = _mm256_unpackhi_epi32(native(rows[i]), native(rows[i + 1]));
    }
    __m256i fours[8];
    for (int i = 0; i < 8; i += 4) {
        fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
        fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
        fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
        fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
    }
    for (int i = 0; i < 4; ++i) {
        groups[i] = asBytes(_mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20));
        groups[i + 4] = asBytes(_mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31));
    }
}

// Adds the products of `count` groups of two tiles, from group `first` on, with the activations of the tokens.
template<int pairSums, std::size_t count, std::size_t tokens>
inline void addGroups(const TileBytes* const (&tiles)[2], std::size_t first, const gufo::Int8Run* x,
                      Ints (&sums)[tokens][2]) {
    const auto four = [&](std::size_t group, std::size_t t) {
        return _mm256_set1_epi32(get<std::int32_t>(x[t].values + 4 * group));
    };
    if constexpr (kVnni || pairSums == 0) {
#pragma GCC unroll kChecked ? 1 : 8
        for (std::size_t group = first; group < first + count; ++group) {
            const __m256i codes[2]{native(tiles[0][group]), native(tiles[1][group])};
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t t = 0; t < tokens; ++t) {
                const __m256i activations = four(group, t);
#pragma GCC unroll kChecked ? 1 : 2
                for (std::size_t i = 0; i < 2; ++i) {
                    auto sum = reinterpret_cast<__m256i>(sums[t][i]);
                    if constexpr (pairSums == 0) {
                        sum = addFours(sum, _mm256_abs_epi8(codes[i]), _mm256_sign_epi8(activations, codes[i]));
                    } else {
                        sum = addFours(sum, codes[i], activations);
                    }
                    sums[t][i] = reinterpret_cast<Ints>(sum);
                }
            }
        }
    } else {
        constexpr std::size_t kTogether = pairSums < count ? pairSums : count;
#pragma GCC unroll kChecked ? 1 : 8
        for (std::size_t begin = first; begin < first + count; begin += kTogether) {
            __m256i pairs[tokens][2];
#pragma GCC unroll kChecked ? 1 : 8
            for (std::size_t group = begin; group < begin + kTogether; ++group) {
                const __m256i codes[2]{native(tiles[0][group]), native(tiles[1][group])};
#pragma GCC unroll kChecked ? 1 : 4
                for (std::size_t t = 0; t < tokens; ++t) {
                    const __m256i activations = four(group, t);
#pragma GCC unroll kChecked ? 1 : 2
                    for (std::size_t i = 0; i < 2; ++i) {
                        const __m256i two = _mm256_maddubs_epi16(codes[i], activations);
                        pairs[t][i] = group == begin ? two : _mm256_add_epi16(pairs[t][i], two);
                    }
                }
            }
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t t = 0; t < tokens; ++t) {
#pragma GCC unroll kChecked ? 1 : 2
                for (std::size_t i = 0; i < 2; ++i) {
                    sums[t][i] += reinterpret_cast<Ints>(_mm256_madd_epi16(pairs[t][i], _mm256_set1_epi16(1)));
                }
            }
        }
    }
}

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
