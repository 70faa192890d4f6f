// The table of comparison metrics (metric.cpp). It drives the choice of metrics, map colours, legends, axes, columns,
// --metric, --sort and the report.
#pragma once

#include "ui/report/comparison_report.h"

#include <optional>
#include <ranges>
#include <span>

namespace gufo::ui {

enum class Metric : std::uint8_t {
    Sqnr,
    Nmse,
    Rmse,
    MeanError,
    MaxError,
    Cosine,
    EqualShare,
    WeightedSqnr,
    BitsPerWeight,
    Type,
    Divergence
};

struct MetricFact {
    Metric metric;
    const char* id;      // "sqnr": used by --metric and in sessions
    const char* title;   // "SQNR"; this and the texts below are in the translation context gufo::ui::Metric
    const char* unit;    // "dB"; empty for plain numbers
    const char* hint;    // "higher is closer"
    const char* heading; // heading of a map
    bool higherIsCloser;
    bool logarithmic;                                // whether its scale is logarithmic
    std::optional<double> low;                       // of a fixed scale; empty: derived from the figures
    std::optional<double> high;                      // as low
    std::optional<double> (*of)(const PairFigures&); // null for a figure of the model alone
    bool onMap;                                      // offered by the comparison tab
    bool inReport;                                   // offered by --metric and shown as a column of reports
    bool needsImportance = false;                    // has values only with an importance matrix
    [[nodiscard]] bool ofPair() const { return of != nullptr; }
};
[[nodiscard]] std::span<const MetricFact> metrics();
[[nodiscard]] const MetricFact& metricFact(Metric metric);
[[nodiscard]] inline auto mapMetrics() { return metrics() | std::views::filter(&MetricFact::onMap); }
[[nodiscard]] inline auto reportMetrics() { return metrics() | std::views::filter(&MetricFact::inReport); }
// The figures of pairs that are columns of reports and have values in this one.
[[nodiscard]] inline auto pairMetrics(const ComparisonReport& report) {
    return metrics() | std::views::filter([has = report.comparison.hasImportance](const MetricFact& metric) {
               return metric.inReport && metric.ofPair() && (has || !metric.needsImportance);
           });
}
[[nodiscard]] const MetricFact* findReportMetric(std::string_view id);

[[nodiscard]] QString metricTitle(const MetricFact& metric);
[[nodiscard]] QString metricFullTitle(const MetricFact& metric); // "SQNR (dB)"
[[nodiscard]] QString metricUnit(const MetricFact& metric);
[[nodiscard]] QString metricHint(const MetricFact& metric);
[[nodiscard]] QString metricHeading(const MetricFact& metric);
// "26.4", "0.00231", "0.99881".
[[nodiscard]] QString metricText(const MetricFact& metric, double value);
[[nodiscard]] QString metricTextWithUnit(const MetricFact& metric, double value); // "26.4 dB"

// Empty for figures of the model alone, and where the metric is undefined (SQNR of identical tensors).
[[nodiscard]] std::optional<double> metricOf(const MetricFact& metric, const PairFigures& figures);
// The metric of a tensor in a model. Empty if the tensor was not compared or the metric is undefined.
[[nodiscard]] std::optional<double> metricOf(const MetricFact& metric, const ComparisonReport& report, std::size_t row,
                                             std::size_t model);

// The rows in which `model` differs from the reference or could not be compared, worst first: failed, missing,
// reshaped, extra, then by the metric.
[[nodiscard]] std::vector<std::size_t> worstFirst(const ComparisonReport& report, const MetricFact& metric,
                                                  std::optional<std::size_t> model);

} // namespace gufo::ui
