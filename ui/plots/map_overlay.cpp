#include "ui/plots/map_overlay.h"

#include "ui/plots/heat_map.h"

#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kClosestBorders = 12; // pixels; denser borders would hide the weights
constexpr double kSmallestMarker = 8;

} // namespace

MapOverlay::MapOverlay(HeatMap& map)
    : QCPAbstractItem(&map)
    , m_heatMap(map) {}

void MapOverlay::drawBorders(QCPPainter& painter, std::uint64_t every, const QPen& pen, std::uint64_t except) const {
    const QCPAxis& axis = *m_heatMap.xAxis;
    const double step = static_cast<double>(every);
    const double pixels = std::abs(axis.coordToPixel(step) - axis.coordToPixel(0));
    if (every <= 1 || pixels < kClosestBorders) {
        return;
    }
    painter.setPen(pen);
    const QRect area = m_heatMap.axisRect()->rect();
    for (double column = std::floor(axis.range().lower / step + 1) * step; column < axis.range().upper;
         column += step) {
        if (except == 0 || static_cast<std::uint64_t>(column) % except != 0) {
            const double x = axis.coordToPixel(column);
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 1));
        }
    }
}

void MapOverlay::drawMarker(QCPPainter& painter) const {
    const CellRange& range = *m_heatMap.marker();
    const auto pixel = [](const QCPAxis* axis, std::uint64_t at) {
        return axis->coordToPixel(static_cast<double>(at));
    };
    QRectF rect(QPointF(pixel(m_heatMap.xAxis, range.firstColumn), pixel(m_heatMap.yAxis, range.firstRow)),
                QPointF(pixel(m_heatMap.xAxis, range.lastColumn + 1), pixel(m_heatMap.yAxis, range.lastRow + 1)));
    const double wider = std::max(0.0, kSmallestMarker - rect.width()) / 2;
    const double higher = std::max(0.0, kSmallestMarker - rect.height()) / 2;
    rect.adjust(-wider, -higher, wider, higher);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(themeColor(Token::Base), 4.6));
    painter.drawRect(rect);
    painter.setPen(QPen(themeColor(Token::Text), 1.6));
    painter.drawRect(rect);
}

void MapOverlay::draw(QCPPainter* painter) {
    painter->setAntialiasing(true);
    drawBorders(*painter, m_heatMap.subBlockColumns(), QPen(QColor(255, 255, 255, 128), 0.6), m_heatMap.blockColumns());
    drawBorders(*painter, m_heatMap.blockColumns(), QPen(Qt::white, 1.6), 0);
    if (m_heatMap.marker()) {
        drawMarker(*painter);
    }
}

} // namespace gufo::ui

#include "moc_map_overlay.cpp"
