// AVX2 primitives of the 8-bit products of strips (portable/int8_products.h), with or without VNNI.
#pragma once

#include "tensor/kernels/avx2/int8_primitives.h"
#include "tensor/kernels/avx2/tiles.h"
#include "tensor/kernels/portable/unrolled.h"

namespace {

using TileBytes = Bytes; // four weights of each row, or two of 16 bits

// The form of codes in tiles: with VNNI never negative, otherwise less than 128 or signed. Signed ones are widened to
// 16 bits. Four products in each lane are then two multiplications and two additions; products of signed bytes need
// three instructions that only two execution units can carry out (sign, maddubs, madd), and an addition.
template<typename Type>
constexpr bool kWidened = Type::kCodes == Codes::Signed && !kVnni;
template<typename Type>
constexpr unsigned kTileOffset = Type::kCodes != Codes::Signed ? Type::kOffset
                                 : kVnni                       ? 128
                                                               : 0;
template<typename Type>
inline Bytes tileCodes(Bytes codes) {
    return kVnni && Type::kCodes == Codes::Signed ? codes ^ 0x80 : codes;
}
constexpr std::size_t kMostVectors = kVnni ? 1 : 2; // of a tile for four codes

// Widens the four signed bytes of each dword:
//
//   bytes             b0 b1 b2 b3
//   widened[0], [1]   b0 b2      b1 b3
struct Widened {
    __m256i of[2];
    explicit Widened(__m256i bytes)
        : of{_mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8), _mm256_srai_epi16(bytes, 8)} {}
};

// Stores 32 codes of eight rows as eight groups: lane r of group g has codes 4 g … 4 g + 3 of row r, in one vector or
// widened in two.
template<typename Type>
inline void storeGroups(const Bytes (&rows)[kLanes], std::size_t block, TileBytes* codes) {
    const __m256i matrix[8]{native(rows[0]), native(rows[1]), native(rows[2]), native(rows[3]),
                            native(rows[4]), native(rows[5]), native(rows[6]), native(rows[7])};
    __m256i groups[8];
    transpose(matrix, groups);
    for (std::size_t g = 0; g < 8; ++g) {
        if constexpr (kWidened<Type>) {
            const Widened wide(groups[g]);
            codes[16 * block + 2 * g] = asBytes(wide.of[0]);
            codes[16 * block + 2 * g + 1] = asBytes(wide.of[1]);
        } else {
            codes[8 * block + g] = asBytes(groups[g]);
        }
    }
}

// The activations of the tokens that are multiplied together.
template<int pairSums, std::size_t tokens>
struct Activations {
    const gufo::Int8Run* runs;
    [[nodiscard]] GUFO_INLINE __m256i four(std::size_t group, std::size_t t) const {
        return _mm256_set1_epi32(get<std::int32_t>(runs[t].values + 4 * group));
    }
};
// For signed codes they are widened, too.
template<std::size_t tokens>
struct Activations<0, tokens> {
    alignas(32) std::int32_t pairs[tokens][2][64]; // [token][half of each dword][group]

    explicit Activations(const gufo::Int8Run* runs) {
        for (std::size_t t = 0; t < tokens; ++t) {
            for (std::size_t block = 0; block < 8; ++block) {
                const Widened wide(load32(runs[t].values + 32 * block));
                std::memcpy(pairs[t][0] + 8 * block, &wide.of[0], sizeof wide.of[0]);
                std::memcpy(pairs[t][1] + 8 * block, &wide.of[1], sizeof wide.of[1]);
            }
        }
    }
    [[nodiscard]] GUFO_INLINE __m256i two(std::size_t group, std::size_t half_, std::size_t t) const {
        return _mm256_set1_epi32(pairs[t][half_][group]);
    }
};

// Sets sums[t][i] to initial(t) plus the products of `count` groups of tile i, from group `first` on, with token t.
template<int pairSums, std::size_t count, std::size_t tokens, typename Initial>
GUFO_INLINE_UNCHECKED inline void sumGroups(const TileBytes* const (&tiles)[2], std::size_t first,
                                            const Activations<pairSums, tokens>& x, const Initial& initial,
                                            Ints (&sums)[tokens][2]) {
    if constexpr (pairSums == 0) {
        forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE { sums[t][i] = initial(t); });
        repeated<2 * count>([&](std::size_t k) GUFO_INLINE {
            const std::size_t at = 2 * first + k;
            const __m256i codes[2]{kept(native(tiles[0][at])), kept(native(tiles[1][at]))};
            forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE {
                const __m256i two = _mm256_madd_epi16(codes[i], x.two(first + k / 2, k % 2, t));
                sums[t][i] = kept(sums[t][i] + asInts(two));
            });
        });
    } else if constexpr (kVnni || pairSums == 1) {
        forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE { sums[t][i] = initial(t); });
        repeated<count>([&](std::size_t g) GUFO_INLINE {
            const __m256i codes[2]{kept(native(tiles[0][first + g])), kept(native(tiles[1][first + g]))};
            forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE {
                const auto sum = reinterpret_cast<__m256i>(sums[t][i]);
                sums[t][i] = asInts(kept(addFours(sum, codes[i], x.four(first + g, t))));
            });
        });
    } else {
        constexpr std::size_t kTogether = pairSums < count ? pairSums : count;
        repeated<count / kTogether>([&](std::size_t part) GUFO_INLINE {
            I16x16 pairs[tokens][2];
            repeated<kTogether>([&](std::size_t g) GUFO_INLINE {
                const std::size_t group = first + part * kTogether + g;
                const __m256i codes[2]{kept(native(tiles[0][group])), kept(native(tiles[1][group]))};
                forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE {
                    const auto two = reinterpret_cast<I16x16>(_mm256_maddubs_epi16(codes[i], x.four(group, t)));
                    pairs[t][i] = kept(g == 0 ? two : pairs[t][i] + two);
                });
            });
            forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE {
                const Ints fours =
                    asInts(_mm256_madd_epi16(reinterpret_cast<__m256i>(pairs[t][i]), _mm256_set1_epi16(1)));
                sums[t][i] = part == 0 ? fours : sums[t][i] + fours;
            });
        });
        // Added last, because the sums of pairs need the registers.
        forTokensAndTiles<tokens>([&](std::size_t t, std::size_t i) GUFO_INLINE { sums[t][i] += initial(t); });
    }
}

} // namespace
