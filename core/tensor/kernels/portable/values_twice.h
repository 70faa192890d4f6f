// The second part of a transposed run (kernels/products.h), from its first part.
#pragma once

#include "tensor/kernels/products.h"

#include <cstring>

namespace {

inline void repeatValues(gufo::Int8TransposedRun& run) {
    for (std::size_t vector = 0; vector < 256; vector += 64) {
        for (std::size_t lane = 0; lane < 16; lane += 2) {
            for (std::size_t odd = 0; odd < 2; ++odd) {
                std::int8_t* to = run.twice.values + 2 * vector + 64 * odd + 4 * lane;
                std::memcpy(to, run.values + vector + 4 * (lane + odd), 4);
                std::memcpy(to + 4, run.values + vector + 4 * (lane + odd), 4);
            }
        }
    }
    for (std::size_t lane = 0; lane < 16; ++lane) {
        const std::size_t even = lane / 2 * 2;
        run.twice.sums[0][lane] = run.sums[even];
        run.twice.sums[1][lane] = run.sums[even + 1];
        run.twice.sums[2][lane] = run.sums[even] + run.sums[even + 1];
        for (std::size_t which = 0; which < 3; ++which) {
            run.twice.negated[which][lane] = run.negatedLanes[which][even] + run.negatedLanes[which][even + 1];
        }
    }
}

} // namespace
