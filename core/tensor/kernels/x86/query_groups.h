// Queries that the attention kernels in 16-bit integers process together, because their sums fit in registers.
// Everything has internal linkage.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <bit>
#include <cstddef>

namespace {

[[gnu::always_inline]] constexpr std::size_t smaller(std::size_t a, std::size_t b) { return a < b ? a : b; }

// Calls work(first, index_sequence<count>()) for groups of `together` queries, a power of two, and then for the rest in
// groups of half as many, of a quarter, and so on.
template<std::size_t together, typename Work>
[[gnu::always_inline]] inline void forGroups(std::size_t count, const Work& work, std::size_t first = 0) {
    for (; first + together <= count; first += together) {
        work(first, std::make_index_sequence<together>());
    }
    if constexpr (together > 1) {
        forGroups<together / 2>(count, work, first);
    }
}

// The most groups into which forGroups() divides `count` queries, a multiple of `together`, or fewer.
template<std::size_t together>
constexpr std::size_t mostGroups(std::size_t count) {
    return count / together + std::bit_width(together) - 1;
}

} // namespace
