// What the stand-in library computes, for the library and for the tests that know the answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace llama_double {

// From −8 to 8.
inline std::vector<float> logitsAfter(std::span<const std::int32_t> tokens, std::int32_t vocabulary) {
    std::uint32_t state = 2'166'136'261U;
    for (const std::int32_t token : tokens) {
        state = (state ^ static_cast<std::uint32_t>(token)) * 16'777'619U;
        state ^= state >> 15U;
    }
    std::vector<float> logits;
    for (std::int32_t i = 0; i < vocabulary; ++i) {
        std::uint32_t mixed = (state ^ (static_cast<std::uint32_t>(i) * 2'654'435'761U)) * 2'246'822'519U;
        mixed ^= mixed >> 13U;
        logits.push_back(static_cast<float>(mixed % 16'001U) / 1000.0F - 8.0F);
    }
    return logits;
}

} // namespace llama_double
