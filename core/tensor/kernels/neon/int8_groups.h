// Tiles for products of four codes: each lane has four consecutive codes of its row.
#pragma once

#include "tensor/kernels/neon/int8_primitives.h"

namespace {

// Transposes a 4 × 4 matrix of dwords. With rows a … d:
//
//   low, high  a0 c0 a1 c1   b0 d0 b1 d1      a2 c2 a3 c3   b2 d2 b3 d3
//   columns    a0 b0 c0 d0   a1 b1 c1 d1      a2 b2 c2 d2   a3 b3 c3 d3
inline void transpose(const U8x16 (&rows)[kLanes], TileBytes* columns) {
    const auto row = [&](std::size_t r) { return reinterpret_cast<int32x4_t>(rows[r]); };
    const int32x4_t low[2]{vzip1q_s32(row(0), row(2)), vzip1q_s32(row(1), row(3))};
    const int32x4_t high[2]{vzip2q_s32(row(0), row(2)), vzip2q_s32(row(1), row(3))};
    columns[0] = vreinterpretq_s8_s32(vzip1q_s32(low[0], low[1]));
    columns[1] = vreinterpretq_s8_s32(vzip2q_s32(low[0], low[1]));
    columns[2] = vreinterpretq_s8_s32(vzip1q_s32(high[0], high[1]));
    columns[3] = vreinterpretq_s8_s32(vzip2q_s32(high[0], high[1]));
}

// Transposes 32 codes of four rows: lane r of groups[g] has codes 4 g … 4 g + 3 of row r.
template<typename /*Type*/>
inline void storeGroups(const Bytes (&rows)[kLanes], std::size_t block, TileBytes* codes) {
    TileBytes* groups = codes + 8 * block;
    transpose({rows[0].low, rows[1].low, rows[2].low, rows[3].low}, groups);
    transpose({rows[0].high, rows[1].high, rows[2].high, rows[3].high}, groups + 4);
}

// Sets sums[t][i] to initial(t) plus the products of `count` groups of tile i, from group `first` on, with token t.
template<int pairSums, std::size_t count, std::size_t tokens, typename Initial>
inline void sumGroups(const TileBytes* const (&tiles)[2], std::size_t first, const Activations<pairSums, tokens>& x,
                      const Initial& initial, Ints (&sums)[tokens][2]) {
#pragma GCC unroll 8
    for (std::size_t t = 0; t < tokens; ++t) {
        sums[t][0] = sums[t][1] = initial(t);
    }
#pragma GCC unroll 2
    for (std::size_t begin = first; begin < first + count; begin += 4) {
        int8x16_t activations[tokens];
        for (std::size_t t = 0; t < tokens; ++t) {
            activations[t] = vld1q_s8(x.runs[t].values + 4 * begin);
        }
        const auto add = [&]<int group>() {
            const int8x16_t codes[2]{tiles[0][begin + group], tiles[1][begin + group]};
#pragma GCC unroll 8
            for (std::size_t t = 0; t < tokens; ++t) {
                sums[t][0] = addFours<group>(sums[t][0], codes[0], activations[t]);
                sums[t][1] = addFours<group>(sums[t][1], codes[1], activations[t]);
            }
        };
        add.template operator()<0>();
        add.template operator()<1>();
        add.template operator()<2>();
        add.template operator()<3>();
    }
}

} // namespace
