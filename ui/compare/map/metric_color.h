// How a figure is painted in a map: its colour, and the mark of a figure that leaves weights out.
#pragma once

#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QRect>

class QPainter;

namespace gufo::ui {

// The colour in the colour map that the user has chosen.
[[nodiscard]] QColor metricColor(const MetricScale& scale, double value, ColorMap map);

// Paints a corner on a cell. It is outlined, because it may lie on any colour.
void paintLeftOutMark(QPainter& painter, const QRect& cell);

} // namespace gufo::ui
