// Paints the lines and marks of the files of a comparison (ui/report/series.h) in the colours of the theme.
#pragma once

#include "ui/report/series.h"
#include "ui/theme/theme.h"

#include <QPen>

class QPainter;

namespace gufo::ui {

// −1: the reference.
[[nodiscard]] QPen seriesPen(int series, double width = 1.3);
// Paints the mark of a file in a square of `size` pixels; the reference's mark has no filling.
void paintSeriesMark(QPainter& painter, QPointF centre, double size, int series);
// A piece of the file's line with its mark in the middle, for legends.
void paintSeriesLine(QPainter& painter, const QRectF& rect, int series);

} // namespace gufo::ui
