// Tensors with known values for the console's tests: ordinary weights, unusual ones, zeros, and an unknown type.
#pragma once

#include "support/gguf_builder.h"

#include <cmath>
#include <limits>
#include <span>

namespace gufo::test {

inline std::vector<float> waves(std::size_t count) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(std::sin(static_cast<double>(i) * 0.37) * 0.25 + 0.01);
    }
    values[3] = 0;
    values[5] = -0.0F;
    return values;
}

// `weights` are 64 × 20 values.
inline GgufBuilder& addTensors(GgufBuilder& file, const std::vector<float>& weights) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto bytesOf = [](const std::vector<float>& values) {
        const auto view = std::as_bytes(std::span(values));
        return std::vector<std::byte>(view.begin(), view.end());
    };
    return file.tensor("waves", 0, {64, 20}, bytesOf(weights))
        .tensor("odd", 0, {8},
                bytesOf({1, 2, std::numeric_limits<float>::quiet_NaN(), -kInfinity, kInfinity, -4, 0, 0.5F}))
        .tensor("zeros", 8, {32, 2})
        .tensor("strange", 999, {4}, std::vector<std::byte>(32));
}

} // namespace gufo::test
