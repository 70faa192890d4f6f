// Counts values in bins. A place is the index of a counter, of up to 65,536: the bin of a value, or the bins of two
// values in one 16-bit number.
#pragma once

#include "tensor/kernels/reduce.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

inline constexpr std::uint64_t kMaxPlaces = 65'536; // the values of a 16-bit place

// Calls count(place) for each of `number` 16-bit places. Four are loaded at once, because loads and stores are the
// bottleneck.
template<typename Count>
[[gnu::always_inline]] inline void forEachPlace(const void* places, std::size_t number, Count count) {
    const auto* at = static_cast<const char*>(places);
    for (const char* const end = at + number / 4 * 8; at != end; at += 8) {
        std::uint64_t four;
        std::memcpy(&four, at, sizeof four);
        count(static_cast<std::uint16_t>(four));
        count(static_cast<std::uint16_t>(four >> 16U));
        count(static_cast<std::uint16_t>(four >> 32U));
        count(static_cast<std::uint16_t>(four >> 48U));
    }
    for (std::size_t i = 0; i < number % 4; ++i) {
        std::uint16_t place;
        std::memcpy(&place, at + 2 * i, sizeof place);
        count(place);
    }
}

inline void countPlaces(const void* places, std::size_t number, std::uint32_t* counts) {
    forEachPlace(places, number, [&](std::uint16_t place) { ++counts[place]; });
}

// The bins of values that are still to be counted. They are computed for a whole run before any is counted, so that
// counting does not wait for the computation. Each is a number of eight bits if pairs are counted, which begin with the
// smaller number; otherwise it has sixteen bits, with the start of one of the tables added.
constexpr std::size_t kRunPlaces = 512; // a multiple of 32, the number of places that are added at once

inline void countRun(const std::uint16_t* places, std::size_t number, gufo::BinCounts& counts) {
    countPlaces(places, number, counts.counts);
}
inline void countRun(const std::uint8_t* places, std::size_t number, gufo::BinCounts& counts) {
    std::uint16_t* const pairs = counts.pairs;
    forEachPlace(places, number / 2, [&](std::uint16_t place) { ++pairs[place]; });
}

// Counts the run if it is complete.
template<typename Place>
[[gnu::always_inline]] inline void countWholeRun(const Place* places, std::size_t& filled, gufo::BinCounts& counts) {
    if (filled == kRunPlaces) {
        countRun(places, kRunPlaces, counts);
        filled = 0;
    }
}

} // namespace
