#include "ui/theme/series_paint.h"

#include <QPainter>

namespace gufo::ui {

QPen seriesPen(int series, double width) {
    QPen pen(series < 0 ? themeColor(Token::Muted) : seriesColor(series), width);
    QList<qreal> pattern; // in units of the pen's width
    for (const double length : seriesDashes(series)) {
        pattern << length / std::max(width, 1.0);
    }
    if (!pattern.isEmpty()) {
        pen.setDashPattern(pattern);
        pen.setCapStyle(Qt::FlatCap);
    }
    return pen;
}

void paintSeriesMark(QPainter& painter, QPointF centre, double size, int series) {
    constexpr double kOutline = 1.5;
    const QColor color = series < 0 ? themeColor(Token::Muted) : seriesColor(series);
    const bool filled = isSeriesFilled(series);
    const double radius = size / 2 - (filled ? 0 : kOutline / 2);
    QPolygonF shape;
    for (const QPointF& corner : seriesShape(series)) {
        shape << centre + radius * corner;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(filled ? QPen(Qt::NoPen) : QPen(color, kOutline));
    painter.setBrush(filled ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawPolygon(shape);
    painter.restore();
}

void paintSeriesLine(QPainter& painter, const QRectF& rect, int series) {
    painter.setPen(seriesPen(series, 1.6));
    painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
    paintSeriesMark(painter, rect.center(), std::min(rect.height(), 8.0), series);
}

} // namespace gufo::ui
