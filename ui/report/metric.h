// What a comparison can be looked at by: one row each in a table (metric.cpp) that drives the choice of metrics, the
// colours of maps, legends, axes and columns, --metric and --sort, and the report.
#pragma once

#include "ui/report/comparison_report.h"

#include <optional>
#include <ranges>
#include <span>

namespace gufo::ui {

enum class Metric : std::uint8_t { Sqnr, Nmse, Rmse, MeanError, MaxError, Cosine, EqualShare, BitsPerWeight, Type };

struct MetricInfo {
    Metric metric;
    const char* id;      // "sqnr": of --metric, and in sessions
    const char* title;   // "SQNR"; this and the texts below in the translation context gufo::ui::Metric
    const char* unit;    // "dB"; empty for plain numbers
    const char* hint;    // "higher is closer"
    const char* heading; // above a map
    bool higherIsCloser;
    bool logarithmic;                                // its scale
    std::optional<double> low;                       // of a fixed scale; nothing: from the figures
    std::optional<double> high;                      // likewise
    std::optional<double> (*of)(const PairFigures&); // null: a figure of the model alone
    bool onMap;                                      // offered by the comparison tab
    bool inReport;                                   // offered by --metric, a column of reports
    [[nodiscard]] bool ofPair() const { return of != nullptr; }
};
[[nodiscard]] std::span<const MetricInfo> metrics();
[[nodiscard]] const MetricInfo& metricInfo(Metric metric);
[[nodiscard]] inline auto mapMetrics() { return metrics() | std::views::filter(&MetricInfo::onMap); }
[[nodiscard]] inline auto reportMetrics() { return metrics() | std::views::filter(&MetricInfo::inReport); }
[[nodiscard]] const MetricInfo* findReportMetric(std::string_view id);

[[nodiscard]] QString metricTitle(const MetricInfo& metric);
[[nodiscard]] QString metricFullTitle(const MetricInfo& metric); // "SQNR (dB)"
[[nodiscard]] QString metricUnit(const MetricInfo& metric);
[[nodiscard]] QString metricHint(const MetricInfo& metric);
[[nodiscard]] QString metricHeading(const MetricInfo& metric);
// "26.4", "0.00231", "0.99881".
[[nodiscard]] QString metricText(const MetricInfo& metric, double value);
[[nodiscard]] QString metricTextWithUnit(const MetricInfo& metric, double value); // "26.4 dB"

// Nothing for a figure of the model alone, and where it is not defined (SQNR of identical tensors).
[[nodiscard]] std::optional<double> metricOf(const MetricInfo& metric, const PairFigures& figures);
// Of a tensor in a model; nothing where it was not compared or the figure is not defined.
[[nodiscard]] std::optional<double> metricOf(const MetricInfo& metric, const ComparisonReport& report, std::size_t row,
                                             std::size_t model);

// The rows in which `model` differs from the reference or could not be compared, worst first: failed, missing,
// reshaped, extra, then by the metric.
[[nodiscard]] std::vector<std::size_t> worstFirst(const ComparisonReport& report, const MetricInfo& metric,
                                                  std::optional<std::size_t> model);

} // namespace gufo::ui
