// The map of block × role of each model, as SVG.
#pragma once

#include "ui/report/metric_scale.h"

namespace gufo::ui {

// All maps with their common legend, and the strip of tensors that belong to no block. Empty text without any block.
[[nodiscard]] QString htmlMaps(const ComparisonReport& report, const MetricInfo& metric, const QStringList& names);

} // namespace gufo::ui
