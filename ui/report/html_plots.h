// The report's plots, as SVG.
#pragma once

#include "ui/report/metric_scale.h"

namespace gufo::ui {

// File size against quality, with the Pareto frontier. Quality is the metric, or SQNR if the metric is not defined for
// pairs. Empty if there is only one file beside the reference.
[[nodiscard]] QString htmlTradeoff(const ComparisonReport& report, const MetricInfo& metric, const QStringList& names);
// The distribution of errors by size, and the relative error by weight magnitude, with a line per model. Empty if
// nothing differs.
[[nodiscard]] QString htmlProfiles(const ComparisonReport& report, const QStringList& names);

} // namespace gufo::ui
