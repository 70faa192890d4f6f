// What a comparison can be looked at by: one row each in a table (metric.cpp) that drives the list of metrics, the
// colours of maps, legends, axes and columns.
#pragma once

#include "analysis/compare/compare_models.h"
#include "ui/theme/theme.h"

#include <QString>

#include <optional>
#include <span>

namespace gufo::ui {

enum class Metric : std::uint8_t { Sqnr, Nmse, Rmse, Cosine, MaxError, BitsPerWeight, Type };

struct MetricInfo {
    Metric metric;
    const char* id;    // in sessions
    const char* title; // "SQNR", to be translated in the context gufo::ui::Metric
    const char* unit;  // "dB"; empty for plain numbers
    const char* hint;  // "higher is closer"
    const char* heading;
    bool higherIsCloser;
    bool logarithmic;           // its scale
    std::optional<double> low;  // of a fixed scale; nothing: from the figures
    std::optional<double> high; // likewise
    bool isError;               // a figure of the pair, not of the model alone
};
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] const MetricInfo& metricInfo(Metric metric);
[[nodiscard]] QString metricTitle(Metric metric);     // "SQNR"
[[nodiscard]] QString metricFullTitle(Metric metric); // "SQNR (dB)"
[[nodiscard]] QString metricUnit(Metric metric);
[[nodiscard]] QString metricHint(Metric metric);
[[nodiscard]] QString metricHeading(Metric metric); // above the map

[[nodiscard]] std::optional<double> metricOf(Metric metric, const PairFigures& figures);
// As short as a table wants it, without unit: "26.4", "0.00231".
[[nodiscard]] QString formatMetric(Metric metric, double value);

// What a figure is drawn by: its place between worst (0) and closest (1) on a scale from `low` to `high`.
struct MetricScale {
    Metric metric = Metric::Sqnr;
    double low = 0;
    double high = 1;
    [[nodiscard]] double positionOf(double value) const; // 0 … 1, clamped; along the legend from left to right
    [[nodiscard]] double valueAt(double position) const;
    [[nodiscard]] QColor colorOf(double value, ColorMap map) const;
    // Round values along the scale, at least two.
    [[nodiscard]] std::vector<double> ticks() const;
    bool operator==(const MetricScale&) const = default;
};
// The fixed scale of a metric, or one that the figures fit.
[[nodiscard]] MetricScale scaleFor(Metric metric, std::span<const double> figures);

} // namespace gufo::ui
