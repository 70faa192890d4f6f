// AVX2 for the portable products of eight bits, with or without VNNI. Who includes it has defined, in its unnamed
// namespace:
//
//     addFours(sums, codes, x)    sums of 32 bits, each plus four products of codes from 0 to 127 with x
//     kVnni                       codes may reach 255
#pragma once

#include "tensor/kernels/avx2/int8_codes.h"
#include "tensor/kernels/portable/int8_kinds.h"
#include "tensor/kernels/products.h"

#include <bit>

namespace {

// --- rounding

inline I32x8 rounded(F32x8 v) { return reinterpret_cast<I32x8>(_mm256_cvtps_epi32(reinterpret_cast<__m256>(v))); }
inline Bytes narrowed(const I32x8 (&parts)[4]) {
    const auto part = [&](int i) { return reinterpret_cast<__m256i>(parts[i]); };
    const __m256i both = _mm256_packs_epi16(_mm256_packs_epi32(part(0), part(1)), _mm256_packs_epi32(part(2), part(3)));
    return asBytes(_mm256_permutevar8x32_epi32(both, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}
// Sums of each four signed bytes.
inline I32x8 sumFours(Bytes v) {
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), native(v));
    return reinterpret_cast<I32x8>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

// --- products with one vector

// A block of 32 activations.
struct Block {
    __m256i values;
    __m256i begin; // of sums: what the offset of codes takes away
};
template<typename Type>
inline Block blockOf(const std::int8_t* x, const std::int32_t* negated4) {
    Block block{load32(x), _mm256_setzero_si256()};
    if constexpr (Type::kCodes == Codes::Offset && Type::kOffset != 0) {
        block.begin = _mm256_slli_epi32(load32(negated4), std::countr_zero(Type::kOffset));
    }
    return block;
}

// Adds a block of 32 times the scales of its weights and activations.
template<typename Type>
inline void addBlock(F32x8& total, Bytes codes, const Block& x, const float* factors) {
    __m256i sums = x.begin;
    if constexpr (Type::kCodes == Codes::Signed) {
        sums = addFours(sums, _mm256_abs_epi8(native(codes)), _mm256_sign_epi8(x.values, native(codes)));
    } else {
        sums = addFours(sums, native(codes), x.values);
    }
    __m256 scales;
    if constexpr (Type::kPer16) {
        const __m256d both = _mm256_castps_pd(_mm256_castpd_ps(_mm256_set1_pd(get<double>(factors))));
        scales = _mm256_permutevar8x32_ps(_mm256_castpd_ps(both), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    } else {
        scales = _mm256_set1_ps(*factors);
    }
    total = multiplyAdd(reinterpret_cast<F32x8>(_mm256_cvtepi32_ps(sums)), reinterpret_cast<F32x8>(scales), total);
}
using Total = F32x8;

// --- strips

constexpr std::size_t kLanes = 8; // rows of a tile
constexpr std::size_t kTokens = 4;
using Ints = I32x8;
using Floats = F32x8;
using TileBytes = Bytes; // four weights of each row

inline Floats toFloats(Ints v) { return reinterpret_cast<Floats>(_mm256_cvtepi32_ps(reinterpret_cast<__m256i>(v))); }

// Codes as tiles have them: with VNNI never negative, otherwise below 128 or signed.
template<typename Type>
constexpr int kTileOffset = Type::kCodes == Codes::Signed ? (kVnni ? 128 : 0) : Type::kOffset;
template<typename Type>
inline Bytes tileCodes(Bytes codes) {
    return kVnni && Type::kCodes == Codes::Signed ? codes ^ 0x80 : codes;
}
// How many products with codes fit 16 bits when each two are summed before; 0: signed codes.
template<typename Type>
constexpr int kPairSums = kVnni                           ? 1
                          : Type::kCodes == Codes::Signed ? 0
                          : Type::kMost <= 16             ? 8
                          : Type::kMost <= 32             ? 4
                          : Type::kMost <= 64             ? 2
                                                          : 1;

// 32 weights of eight rows to eight groups of four.
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

// Adds the products of `count` groups of two tiles from `first` on with those of the tokens.
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
                const __m256i own = four(group, t);
#pragma GCC unroll kChecked ? 1 : 2
                for (std::size_t i = 0; i < 2; ++i) {
                    auto sum = reinterpret_cast<__m256i>(sums[t][i]);
                    if constexpr (pairSums == 0) {
                        sum = addFours(sum, _mm256_abs_epi8(codes[i]), _mm256_sign_epi8(own, codes[i]));
                    } else {
                        sum = addFours(sum, codes[i], own);
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
                    const __m256i own = four(group, t);
#pragma GCC unroll kChecked ? 1 : 2
                    for (std::size_t i = 0; i < 2; ++i) {
                        const __m256i two = _mm256_maddubs_epi16(codes[i], own);
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

// --- for measuring

inline std::uint64_t multiplyFoursOften() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 10; // more than the latency of one, times what starts in a cycle
    __m256i sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = _mm256_set1_epi32(static_cast<int>(k));
    }
    __m256i codes = _mm256_set1_epi8(3);
    const __m256i values = _mm256_set1_epi8(-5);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 10
        for (std::size_t k = 0; k < kChains; ++k) {
            asm volatile("" : "+x"(codes)); // or the compiler would multiply once for all
            sums[k] = addFours(sums[k], codes, values);
        }
    }
    for (const __m256i sum : sums) {
        asm volatile("" : : "x"(sum));
    }
    return kRounds * kChains * 32;
}

} // namespace
