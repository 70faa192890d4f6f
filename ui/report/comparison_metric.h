// What a comparison can be looked at by: one row each, for --metric and --sort, for columns and for the report's map.
#pragma once

#include "ui/report/comparison_report.h"

#include <optional>
#include <span>

namespace gufo::ui {

struct ReportMetric {
    const char* id;    // "sqnr"
    const char* title; // in the translation context gufo::ui::Report
    const char* unit;  // "dB"; empty for plain numbers
    bool higherIsCloser;
    bool logarithmic;          // its scale of colours
    std::optional<double> low; // the fixed scale's ends; nothing: from the figures
    std::optional<double> high;
    bool ofPair; // a figure of the pair; false: of the model alone (bits per weight)
    std::optional<double> (*of)(const PairFigures&);
};
[[nodiscard]] std::span<const ReportMetric> reportMetrics();
[[nodiscard]] const ReportMetric* findReportMetric(std::string_view id);
[[nodiscard]] QString metricTitle(const ReportMetric& metric);

// Of a tensor in a model; nothing where it was not compared or the figure is not defined (SQNR of identical tensors).
[[nodiscard]] std::optional<double> metricOf(const ReportMetric& metric, const ComparisonReport& report,
                                             std::size_t row, std::size_t model);
// "26.4", "0.00231", "0.9988".
[[nodiscard]] QString metricText(const ReportMetric& metric, double value);

// The rows in which `model` differs from the reference or could not be compared, worst first: failed, missing,
// reshaped, extra, then by the metric.
[[nodiscard]] std::vector<std::size_t> worstFirst(const ComparisonReport& report, const ReportMetric& metric,
                                                  std::optional<std::size_t> model);

} // namespace gufo::ui
