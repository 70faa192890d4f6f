// 8-bit products for NEON with the i8mm extension, which multiplies two rows of eight codes with two tokens.
#include "tensor/kernels/kernels.h"

#include <arm_neon.h>

namespace {

inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) { return vdotq_s32(sums, codes, x); }

} // namespace

#include "tensor/kernels/neon/int8_primitives.h"

namespace {

// Arranges 32 codes of four rows a … d in pairs of rows, eight codes at a time, as vmmla needs them:
//
//   tile[0], [1]   a[0…7] b[0…7]       a[8…15] b[8…15]
//   tile[2], [3]   c[0…7] d[0…7]       c[8…15] d[8…15]
//   tile[4 … 7]    the same for codes 16 … 31
template<typename /*Type*/>
inline void storeGroups(const Bytes (&rows)[kLanes], std::size_t block, TileBytes* codes) {
    TileBytes* tile = codes + 8 * block;
    for (std::size_t pair_ = 0; pair_ < 2; ++pair_) {
        const Bytes& first = rows[2 * pair_];
        const Bytes& second = rows[2 * pair_ + 1];
        const auto eights = [](U8x16 a, U8x16 b, TileBytes* to) {
            const auto one = reinterpret_cast<int64x2_t>(a);
            const auto other = reinterpret_cast<int64x2_t>(b);
            to[0] = vreinterpretq_s8_s64(vzip1q_s64(one, other));
            to[1] = vreinterpretq_s8_s64(vzip2q_s64(one, other));
        };
        eights(first.low, second.low, tile + 2 * pair_);
        eights(first.high, second.high, tile + 4 + 2 * pair_);
    }
}

// Sets sums[t][i] to initial(t) plus the products of `count` groups of four codes of tile i, from group `first` on,
// with token t. Pairs of tokens are multiplied together; a token without a partner is paired with itself.
//
//   tokenPairs[0], [1]  x[0…7] y[0…7]       x[8…15] y[8…15]      values of the tokens x and y
//   squares[p][i][0]    a·x a·y b·x b·y                          sums of products with the rows a and b
//   squares[p][i][1]    c·x c·y d·x d·y
//   sums                a·x b·x c·x d·x     a·y b·y c·y d·y      the even and the odd lanes of both
template<int pairSums, std::size_t count, std::size_t tokens, typename Initial>
inline void sumGroups(const TileBytes* const (&tiles)[2], std::size_t first, const Activations<pairSums, tokens>& x,
                      const Initial& initial, Ints (&sums)[tokens][2]) {
    constexpr std::size_t kPairs = (tokens + 1) / 2;
    int32x4_t squares[kPairs][2][2]{}; // [pair of tokens][tile][pair of rows]
    for (std::size_t begin = first; begin < first + count; begin += 4) {
#pragma GCC unroll 4
        for (std::size_t p = 0; p < kPairs; ++p) {
            const std::size_t other = 2 * p + 1 < tokens ? 2 * p + 1 : 2 * p;
            const int64x2_t one = vreinterpretq_s64_s8(vld1q_s8(x.runs[2 * p].values + 4 * begin));
            const int64x2_t two = vreinterpretq_s64_s8(vld1q_s8(x.runs[other].values + 4 * begin));
            const int8x16_t tokenPairs[2]{vreinterpretq_s8_s64(vzip1q_s64(one, two)),
                                          vreinterpretq_s8_s64(vzip2q_s64(one, two))};
#pragma GCC unroll 2
            for (std::size_t i = 0; i < 2; ++i) {
#pragma GCC unroll 2
                for (std::size_t rows = 0; rows < 2; ++rows) {
                    const TileBytes* codes = tiles[i] + begin + 2 * rows;
                    int32x4_t& square = squares[p][i][rows];
                    square = vmmlaq_s32(vmmlaq_s32(square, codes[0], tokenPairs[0]), codes[1], tokenPairs[1]);
                }
            }
        }
    }
#pragma GCC unroll 4
    for (std::size_t p = 0; p < kPairs; ++p) {
#pragma GCC unroll 2
        for (std::size_t i = 0; i < 2; ++i) {
            sums[2 * p][i] = initial(2 * p) + vuzp1q_s32(squares[p][i][0], squares[p][i][1]);
            if constexpr (tokens > 1) {
                sums[2 * p + 1][i] = initial(2 * p + 1) + vuzp2q_s32(squares[p][i][0], squares[p][i][1]);
            }
        }
    }
}

} // namespace

// The portable products use the primitives above.
#include "tensor/kernels/portable/dot_int8.h"
#include "tensor/kernels/portable/int8_products.h"

namespace gufo::neon {

void installInt8Matrices(ProductKernels& products) { installPortableInt8(products); }

} // namespace gufo::neon
