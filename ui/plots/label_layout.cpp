#include "ui/plots/label_layout.h"

#include <algorithm>
#include <array>
#include <limits>

namespace gufo::ui {
namespace {

constexpr double kMarkGap = 4;  // between mark and label
constexpr int kRings = 14;      // maximal distance of a label, in steps
constexpr double kRingStep = 9; // pixels
constexpr double kCrossing = 3; // cost of crossing a line, in rings
constexpr double kTaken = 1e6;  // cost of covering a point or label

struct DirectionRow {
    double x; // −1 left, 0 middle, 1 right of the point
    double y; // −1 above, 1 below
    double cost;
};
constexpr std::array<DirectionRow, 8> kDirections{
    {{1, 0, 0}, {-1, 0, 0.2}, {1, -1, 0.3}, {-1, -1, 0.4}, {0, -1, 0.4}, {1, 1, 0.5}, {0, 1, 0.6}, {-1, 1, 0.7}}};

QRectF placed(const LabelledPoint& point, const DirectionRow& direction, double away) {
    const double gap = point.radius + kMarkGap + away;
    const double x = direction.x > 0   ? point.at.x() + gap
                     : direction.x < 0 ? point.at.x() - gap - point.size.width()
                                       : point.at.x() - point.size.width() / 2;
    const double y = direction.y > 0   ? point.at.y() + (direction.x == 0 ? gap : gap * 0.6)
                     : direction.y < 0 ? point.at.y() - (direction.x == 0 ? gap : gap * 0.6) - point.size.height()
                                       : point.at.y() - point.size.height() / 2;
    return {{x, y}, point.size};
}

bool crosses(const QRectF& rect, const QLineF& line) {
    if (rect.contains(line.p1()) || rect.contains(line.p2())) {
        return true;
    }
    const std::array sides{QLineF(rect.topLeft(), rect.topRight()), QLineF(rect.topRight(), rect.bottomRight()),
                           QLineF(rect.bottomRight(), rect.bottomLeft()), QLineF(rect.bottomLeft(), rect.topLeft())};
    return std::ranges::any_of(
        sides, [&](const QLineF& side) { return side.intersects(line, nullptr) == QLineF::BoundedIntersection; });
}

} // namespace

std::vector<QRectF> layOutLabels(std::span<const LabelledPoint> points, std::span<const QLineF> lines,
                                 const QRectF& area) {
    std::vector<QRectF> taken;
    std::vector<QRectF> marks;
    for (const LabelledPoint& point : points) {
        const QSizeF size(2 * point.radius, 2 * point.radius);
        marks.emplace_back(point.at - QPointF(point.radius, point.radius), size);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        QRectF best;
        double bestCost = std::numeric_limits<double>::max();
        for (int ring = 0; ring < kRings && bestCost > ring; ++ring) {
            for (const DirectionRow& direction : kDirections) {
                const QRectF rect = placed(points[i], direction, ring * kRingStep);
                double cost = ring + direction.cost;
                cost += area.contains(rect) ? 0 : kTaken;
                for (const QRectF& other : taken) {
                    cost += other.intersects(rect) ? kTaken : 0;
                }
                for (const QRectF& mark : marks) {
                    cost += mark.intersects(rect) ? kTaken : 0;
                }
                for (const QLineF& line : lines) {
                    cost += crosses(rect, line) ? kCrossing : 0;
                }
                if (cost < bestCost) {
                    bestCost = cost;
                    best = rect;
                }
            }
        }
        taken.push_back(best);
    }
    return taken;
}

} // namespace gufo::ui
