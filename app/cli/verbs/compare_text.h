// Prints a comparison as text for the terminal.
#pragma once

#include "cli/console.h"
#include "ui/report/metric.h"

namespace gufo::cli {

struct CompareText {
    const ui::MetricInfo& metric;
    const ui::MetricInfo& fitting;        // the metric that chooses the best model within a limit of memory
    const ui::MetricInfo* sort = nullptr; // null: file order
    bool all = false;
    std::optional<std::uint64_t> memory{}; // if set, the best model that runs within this many bytes is named
};
// The ids of the metrics that --metric takes, the default first: "sqnr, nmse …".
[[nodiscard]] QString metricIds();
void printComparison(Console& console, const ui::ComparisonReport& report, const CompareText& options);

} // namespace gufo::cli
