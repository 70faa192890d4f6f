// The levels of codes for the encoders: the level nearest to a number, and its code.
#pragma once

#include "tensor/kernels/portable/lanes.h"

namespace {

// All integers from Low to High. `Zero` is the level of code 0.
template<int Low, int High, int Zero = Low>
struct UniformLevels {
    static constexpr float kLow = Low, kHigh = High;
    static Lanes level(Lanes v) { return nearest(clamped(v, Low, High)); }
    static LaneInts code(Lanes v) { return toInts(level(v)) - Zero; }
};

// Sixteen levels in ascending order. A binary search in four steps compares with the midpoints between them.
// 30, for example, is above −4.5 (code 8), below 45.5, above 19 (code 10) and below 31.5, so it gets level 25.
struct Iq4Levels {
    static constexpr float kLow = -127, kHigh = 113;
    static constexpr float kLevels[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
    static constexpr float kMiddles[16] = {-115.5F, -93.5F, -74,   -57,   -42, -28.5F, -16, -4.5F,
                                           7,       19,     31.5F, 45.5F, 61,  79,     101, 0};
    static LaneInts code(Lanes v) {
        LaneInts code = (v > allLanes(kMiddles[7])) & 8;
        code += (v > lookUp16(kMiddles, code + 3)) & 4;
        code += (v > lookUp16(kMiddles, code + 1)) & 2;
        return code - (v > lookUp16(kMiddles, code));
    }
    static Lanes level(Lanes v) { return lookUp16(kLevels, code(v)); }
};

// E2M1 times two. The fourth bit is the sign.
struct Fp4Levels {
    static constexpr float kLevels[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    static constexpr float kMiddles[7] = {0.5F, 1.5F, 2.5F, 3.5F, 5, 7, 10};
    static LaneInts code(Lanes v) {
        const Lanes size = magnitude(v);
        LaneInts code{};
        for (const float middle : kMiddles) {
            code -= size > allLanes(middle);
        }
        const LaneInts sign = (v < Lanes{}) & (code != LaneInts{}) & 8;
        return code | sign;
    }
    static Lanes level(Lanes v) { return lookUp16(kLevels, code(v)); }
};

} // namespace
