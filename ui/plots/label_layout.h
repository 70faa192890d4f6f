// Places the labels of points in a plot beside their points, so that they cover no other labels, points or lines.
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
    QSizeF size;       // of the label
    double radius = 5; // of the point's mark
};

// Returns the rectangles in the order of the points, which are placed first to last. They are inside `area` if it has
// room. Labels close to their points are preferred; `lines` are avoided if that does not increase the distance.
[[nodiscard]] std::vector<QRectF> layOutLabels(std::span<const LabelledPoint> points, std::span<const QLineF> lines,
                                               const QRectF& area);

} // namespace gufo::ui
