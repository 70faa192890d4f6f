// Counts how often each of up to 65,536 places occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

inline constexpr std::uint64_t kMaxPlaces = 65'536; // the values of a 16-bit place

// Increments counts[place] for each of `count` places, a multiple of four. Four places are loaded at once, because the
// loads and stores are the bottleneck.
inline void countPlaces(const std::uint16_t* places, std::size_t count, std::uint32_t* counts) {
    for (std::size_t i = 0; i < count; i += 4) {
        std::uint64_t four;
        std::memcpy(&four, places + i, sizeof four);
        ++counts[four & 0xFFFFU];
        ++counts[four >> 16U & 0xFFFFU];
        ++counts[four >> 32U & 0xFFFFU];
        ++counts[four >> 48U];
    }
}

} // namespace
