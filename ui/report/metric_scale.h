// Maps figures to positions on a scale and to colours, and computes the ticks of legends and axes.
#pragma once

#include "ui/report/metric.h"

namespace gufo::ui {

struct NumberScale {
    double low = 0;
    double high = 1;
    bool logarithmic = false;

    [[nodiscard]] double positionOf(double value) const; // 0 … 1, clamped
    [[nodiscard]] double valueAt(double position) const;
    // About `count` (at least two) round values from low to high.
    [[nodiscard]] std::vector<double> ticks(int count = 6) const;
    bool operator==(const NumberScale&) const = default;
};

struct MetricScale : NumberScale {
    Metric metric = Metric::Sqnr;
    // From 0, where the models differ most, to 1, where they are closest, whichever direction the metric has.
    [[nodiscard]] double closeness(double value) const;
    bool operator==(const MetricScale&) const = default;
};
// The metric's fixed range, or one that covers the figures.
[[nodiscard]] MetricScale scaleFor(const MetricFact& metric, std::span<const double> figures);
// "#2a788e": viridis, with yellow where the models are closest.
[[nodiscard]] QString metricColour(const MetricScale& scale, double value);

} // namespace gufo::ui
