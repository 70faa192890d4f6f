#include "inference/session/distribution.h"

#include <algorithm>
#include <cmath>

namespace gufo::inference {
namespace {

struct MeanAndError {
    double mean = 0;
    double error = 0;
};

// In two passes, so that nearly equal numbers do not cancel.
template<typename Of>
MeanAndError meanOf(std::span<const double> values, const Of& of) {
    const auto count = static_cast<double>(values.size());
    MeanAndError result;
    for (const double value : values) {
        result.mean += of(value) / count;
    }
    if (values.size() > 1) {
        double squares = 0;
        for (const double value : values) {
            squares += (of(value) - result.mean) * (of(value) - result.mean);
        }
        result.error = std::sqrt(squares / (count - 1) / count);
    }
    return result;
}

} // namespace

double Distribution::percentile(double percent) const {
    const auto* found = std::ranges::find(kPercentiles, percent);
    return found != kPercentiles.end() ? percentiles[static_cast<std::size_t>(found - kPercentiles.begin())] : NAN;
}

Distribution distributionOf(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    const MeanAndError plain = meanOf(values, [](double value) { return value; });
    const MeanAndError squares = meanOf(values, [](double value) { return value * value; });
    Distribution result{.mean = plain.mean, .meanError = plain.error, .rms = std::sqrt(squares.mean)};
    // The error of a root, to first order.
    result.rmsError = result.rms > 0 ? squares.error / (2 * result.rms) : 0;
    std::ranges::sort(values);
    result.minimum = values.front();
    result.largest = values.back();
    for (std::size_t i = 0; i < kPercentiles.size(); ++i) {
        const double at = kPercentiles[i] / 100 * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        result.percentiles[i] = std::lerp(values[below], values[above], at - static_cast<double>(below));
    }
    return result;
}

} // namespace gufo::inference
