// From a figure to its place between two ends, to a colour, and back to the ticks of a legend or an axis.
#pragma once

#include "ui/report/metric.h"

namespace gufo::ui {

struct NumberScale {
    double low = 0;
    double high = 1;
    bool logarithmic = false;

    [[nodiscard]] double positionOf(double value) const; // 0 … 1, clamped
    [[nodiscard]] double valueAt(double position) const;
    // Round values from low to high, at least two, about `count`.
    [[nodiscard]] std::vector<double> ticks(int count = 6) const;
    bool operator==(const NumberScale&) const = default;
};

struct MetricScale : NumberScale {
    Metric metric = Metric::Sqnr;
    // 0 where models differ most, 1 where they are closest, whichever way the metric counts.
    [[nodiscard]] double closeness(double value) const;
    bool operator==(const MetricScale&) const = default;
};
// The metric's fixed ends, or those that the figures need.
[[nodiscard]] MetricScale scaleFor(const MetricInfo& metric, std::span<const double> figures);
// "#2a788e": viridis, its yellow end where the models are closest.
[[nodiscard]] QString metricColour(const MetricScale& scale, double value);

} // namespace gufo::ui
