// Places for the names of points in a plot: beside their points, without covering each other, other points or lines.
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <span>
#include <vector>

namespace gufo::ui {

struct LabelledPoint {
    QPointF at;        // pixels
    QSizeF size;       // of the name
    double radius = 5; // of the mark
};

// Rectangles in the order of the points, which are served first to last. Inside `area` where that has any room. Names
// near their points come first; `lines` are kept free as far as that costs no distance.
[[nodiscard]] std::vector<QRectF> layOutLabels(std::span<const LabelledPoint> points, std::span<const QLineF> lines,
                                               const QRectF& area);

} // namespace gufo::ui
