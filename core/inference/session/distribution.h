// Summarises a set of numbers, such as one figure for each position of a text.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace gufo::inference {

inline constexpr auto kPercentiles = std::to_array<double>({99.9, 99, 95, 90, 75, 50, 25, 10, 5, 1, 0.1});

struct Distribution {
    double mean = 0;
    double meanError = 0; // standard error of the mean
    double rms = 0;
    double rmsError = 0;
    double minimum = 0;
    double largest = 0;
    // In the order of kPercentiles; between two numbers they are interpolated linearly.
    std::array<double, kPercentiles.size()> percentiles{};

    [[nodiscard]] double percentile(double percent) const; // one of kPercentiles
};

// If there are no values, all figures are 0.
[[nodiscard]] Distribution distributionOf(std::vector<double> values);

} // namespace gufo::inference
