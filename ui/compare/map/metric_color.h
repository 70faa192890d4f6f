// The colour of a figure in the map that the user chose.
#pragma once

#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

namespace gufo::ui {

[[nodiscard]] QColor metricColor(const MetricScale& scale, double value, ColorMap map);

} // namespace gufo::ui
