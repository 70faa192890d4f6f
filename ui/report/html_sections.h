// The sections of the HTML report of a comparison. Pictures are inline SVG.
#pragma once

#include "ui/report/comparison_report.h"
#include "ui/report/metric_scale.h"

namespace gufo::ui {

// Each model's map of blocks × roles, with a shared legend, and a strip of the tensors outside of blocks. Empty if
// there are no blocks.
[[nodiscard]] QString htmlMaps(const ComparisonReport& report, const MetricFact& metric, const QStringList& names);

// The diagram of the reference, coloured by the metric of the first of the other models, or by types if the metric is
// not defined for pairs; and the same in words. Empty if the reference has no tensors.
[[nodiscard]] QString htmlArchitecture(const ComparisonReport& report, const MetricFact& metric,
                                       const QStringList& names);

// What swapping tensors changes in the answers, part by part and the worst first, and the map of the distances of the
// states by block and token. Empty if they were not measured.
[[nodiscard]] QString htmlBehaviour(const ComparisonReport& report, const QStringList& names);
[[nodiscard]] QString htmlLayers(const ComparisonReport& report, const QStringList& names);

// The differences of keys and tokens.
[[nodiscard]] QString htmlMetadata(const ComparisonReport& report, const QStringList& names);
// A line diff of each model's templates against the reference's. Empty if there are no differences.
[[nodiscard]] QString htmlTemplates(const ComparisonReport& report, const QStringList& names);

// File size against quality, with the Pareto frontier. Quality is the metric, or SQNR if the metric is not defined for
// pairs. Empty if there is only one file beside the reference.
[[nodiscard]] QString htmlTradeoff(const ComparisonReport& report, const MetricFact& metric, const QStringList& names);
// The distribution of errors by size, and the relative error by weight magnitude, with a line per model. Empty if
// nothing differs.
[[nodiscard]] QString htmlProfiles(const ComparisonReport& report, const QStringList& names);

} // namespace gufo::ui
