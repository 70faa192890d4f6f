// From a figure to a colour and back to the ticks of a legend.
#pragma once

#include "ui/report/comparison_metric.h"

namespace gufo::ui {

struct HtmlScale {
    double low = 0;
    double high = 1;
    bool logarithmic = false;

    [[nodiscard]] double positionOf(double value) const; // 0 … 1, clamped
    // Round values from low to high, at least two, about `count`.
    [[nodiscard]] std::vector<double> ticks(int count = 6) const;
};
// The metric's fixed ends, or those that the figures need.
[[nodiscard]] HtmlScale scaleFor(const ReportMetric& metric, std::span<const double> figures);
// "#2a788e": viridis, its yellow end where the models are closest.
[[nodiscard]] QString metricColour(const ReportMetric& metric, const HtmlScale& scale, double value);

} // namespace gufo::ui
