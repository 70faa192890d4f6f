// Counts values in bins. A place is the index of a counter, of up to 65,536: the bin of a value, or the bins of two
// values in one 16-bit number.
#pragma once

#include "tensor/kernels/reduce.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

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

// The places of values that are still to be counted. Each is a number of eight bits if pairs are counted, which begin
// with the smaller number; otherwise it has sixteen bits, with the start of one of the tables added.
//
// Counting is bound by stores, and computing places by vector arithmetic. Places are therefore counted a run later than
// they were computed, alternately with the computation of new ones: a processor executes both at the same time, and
// counting never waits for the computation.
template<typename Place>
class PendingPlaces {
public:
    static constexpr std::size_t kTogether = 32; // places that are added at once

    explicit PendingPlaces(gufo::BinCounts& counts) {
        if constexpr (sizeof(Place) == 1) {
            m_counters = counts.pairs;
        } else {
            m_counters = counts.counts;
        }
    }

    // Where the next places belong. The ones that were there have been counted.
    [[nodiscard, gnu::always_inline]] inline Place* next() {
        Place* const at = m_places + m_added % kRun;
        if (m_added >= kRun) {
            countFrom(at, kTogether);
        }
        m_added += kTogether;
        return at;
    }
    void flush() { countFrom(m_places, m_added < kRun ? m_added : kRun); }

private:
    static constexpr std::size_t kRun = 512; // a multiple of kTogether

    [[gnu::always_inline]] inline void countFrom(const Place* places, std::size_t number) {
        forEachPlace(places, number * sizeof(Place) / 2, [&](std::uint16_t place) { ++m_counters[place]; });
    }

    std::conditional_t<sizeof(Place) == 1, std::uint16_t, std::uint32_t>* m_counters;
    std::size_t m_added = 0;
    alignas(64) Place m_places[kRun];
};

} // namespace
