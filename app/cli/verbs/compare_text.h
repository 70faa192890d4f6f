// Prints a comparison as text for the terminal.
#pragma once

#include "cli/console.h"
#include "ui/report/metric.h"

namespace gufo::cli {

struct CompareText {
    const ui::MetricInfo& metric;
    const ui::MetricInfo* sort = nullptr; // null: file order
    bool all = false;
};
void printComparison(Console& console, const ui::ComparisonReport& report, const CompareText& options);

} // namespace gufo::cli
