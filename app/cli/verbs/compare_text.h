// A comparison for people, on the terminal.
#pragma once

#include "cli/console.h"
#include "ui/report/metric.h"

namespace gufo::cli {

struct CompareText {
    const ui::MetricInfo& metric;
    const ui::MetricInfo* sort = nullptr; // null: the order of the file
    bool all = false;
};
void printComparison(Console& console, const ui::ComparisonReport& report, const CompareText& options);

} // namespace gufo::cli
