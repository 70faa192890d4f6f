// Draws each model's map of blocks × roles as SVG.
#pragma once

#include "ui/report/metric_scale.h"

namespace gufo::ui {

// All maps with a shared legend, and a strip of the tensors outside of blocks. Empty if there are no blocks.
[[nodiscard]] QString htmlMaps(const ComparisonReport& report, const MetricInfo& metric, const QStringList& names);

} // namespace gufo::ui
