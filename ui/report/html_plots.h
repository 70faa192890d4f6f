// The report's plots, as SVG.
#pragma once

#include "ui/report/metric_scale.h"

namespace gufo::ui {

// Size of each file against its quality, with the efficient frontier. Quality is the metric, or SQNR where the metric
// is not one of pairs. Empty for a single file beside the reference.
[[nodiscard]] QString htmlTradeoff(const ComparisonReport& report, const MetricInfo& metric, const QStringList& names);
// How many errors there are of each size, and the relative error of weights of each magnitude: a line for each model.
// Empty where nothing differs.
[[nodiscard]] QString htmlProfiles(const ComparisonReport& report, const QStringList& names);

} // namespace gufo::ui
