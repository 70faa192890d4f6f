#include "ui/compare/map/metric_color.h"

#include <QPainter>

#include <algorithm>

namespace gufo::ui {

QColor metricColor(const MetricScale& scale, double value, ColorMap map) {
    // Bits per weight have separate colours, in which unquantised weights stand out.
    if (!metricInfo(scale.metric).ofPair() && (map == ColorMap::Viridis || value > scale.high + 1)) {
        return bitsPerWeightColor(value);
    }
    return colorMapAt(map, scale.closeness(value));
}

void paintLeftOutMark(QPainter& painter, const QRect& cell) {
    const int side = std::clamp(std::min(cell.width(), cell.height()) / 2, 3, 7);
    const QPoint corner = cell.topRight() + QPoint(1, 0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(Token::Base), 1));
    painter.setBrush(themeColor(Token::WarningMark));
    painter.drawPolygon(QPolygon({corner, corner - QPoint(side, 0), corner + QPoint(0, side)}));
    painter.restore();
}

} // namespace gufo::ui
