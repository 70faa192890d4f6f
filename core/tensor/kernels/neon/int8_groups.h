// Tiles of four codes of each row side by side, for products of fours.
#pragma once

#include "tensor/kernels/neon/int8_primitives.h"

namespace {

// Four rows of four dwords turned over.
inline void turn(const U8x16 (&rows)[kLanes], TileBytes* columns) {
    const auto own = [&](std::size_t r) { return reinterpret_cast<int32x4_t>(rows[r]); };
    const int32x4_t low[2]{vzip1q_s32(own(0), own(2)), vzip1q_s32(own(1), own(3))};
    const int32x4_t high[2]{vzip2q_s32(own(0), own(2)), vzip2q_s32(own(1), own(3))};
    columns[0] = vreinterpretq_s8_s32(vzip1q_s32(low[0], low[1]));
    columns[1] = vreinterpretq_s8_s32(vzip2q_s32(low[0], low[1]));
    columns[2] = vreinterpretq_s8_s32(vzip1q_s32(high[0], high[1]));
    columns[3] = vreinterpretq_s8_s32(vzip2q_s32(high[0], high[1]));
}

// 32 weights of four rows to eight groups of four.
inline void interleave(const Bytes (&rows)[kLanes], TileBytes* groups) {
    turn({rows[0].low, rows[1].low, rows[2].low, rows[3].low}, groups);
    turn({rows[0].high, rows[1].high, rows[2].high, rows[3].high}, groups + 4);
}

// Adds the products of `count` groups of two tiles from `first` on with those of the tokens.
template<int /*pairSums*/, std::size_t count, std::size_t tokens>
inline void addGroups(const TileBytes* const (&tiles)[2], std::size_t first, const gufo::Int8Run* x,
                      Ints (&sums)[tokens][2]) {
#pragma GCC unroll 2
    for (std::size_t begin = first; begin < first + count; begin += 4) {
        int8x16_t own[tokens];
        for (std::size_t t = 0; t < tokens; ++t) {
            own[t] = vld1q_s8(x[t].values + 4 * begin);
        }
        const auto add = [&]<int group>() {
            const int8x16_t codes[2]{tiles[0][begin + group], tiles[1][begin + group]};
#pragma GCC unroll 8
            for (std::size_t t = 0; t < tokens; ++t) {
                sums[t][0] = addFours<group>(sums[t][0], codes[0], own[t]);
                sums[t][1] = addFours<group>(sums[t][1], codes[1], own[t]);
            }
        };
        add.template operator()<0>();
        add.template operator()<1>();
        add.template operator()<2>();
        add.template operator()<3>();
    }
}

} // namespace
