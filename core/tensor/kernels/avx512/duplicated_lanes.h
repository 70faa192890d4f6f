// The second part of a transposed run (kernels/products.h), from its first part.
#pragma once

#include "tensor/kernels/products.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using EightInts = std::int32_t __attribute__((vector_size(32)));
using EightFloats = float __attribute__((vector_size(32)));

// Applies change() to each eight of sixteen lanes.
template<typename Eight, typename Change>
[[gnu::always_inline]] inline void changeLanes(const void* from, void* to, const Change& change) {
    for (std::size_t i = 0; i < 2; ++i) {
        Eight lanes;
        std::memcpy(&lanes, static_cast<const std::byte*>(from) + i * sizeof lanes, sizeof lanes);
        const Eight changed = change(lanes);
        std::memcpy(static_cast<std::byte*>(to) + i * sizeof lanes, &changed, sizeof lanes);
    }
}

inline void duplicateLanes(gufo::Int8TransposedRun& run) {
    const auto even = [](auto lanes) { return __builtin_shufflevector(lanes, lanes, 0, 0, 2, 2, 4, 4, 6, 6); };
    const auto odd = [](auto lanes) { return __builtin_shufflevector(lanes, lanes, 1, 1, 3, 3, 5, 5, 7, 7); };
    const auto sum = [](auto lanes) { return lanes + __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6); };
    for (std::size_t vector = 0; vector < 4; ++vector) {
        const std::int8_t* const from = run.values + 64 * vector;
        std::int8_t* const to = run.duplicated.values + 128 * vector;
        changeLanes<EightInts>(from, to, even);
        changeLanes<EightInts>(from, to + 64, odd);
    }
    changeLanes<EightFloats>(run.sums, run.duplicated.sums[0], even);
    changeLanes<EightFloats>(run.sums, run.duplicated.sums[1], odd);
    changeLanes<EightFloats>(run.sums, run.duplicated.sums[2], sum);
    for (std::size_t which = 0; which < 3; ++which) {
        changeLanes<EightInts>(run.negatedLanes[which], run.duplicated.negated[which], sum);
    }
}

} // namespace
