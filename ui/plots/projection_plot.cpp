#include "ui/plots/projection_plot.h"

#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"

#include <QApplication>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr double kPointSize = 7;
constexpr double kChosenSize = 11;
constexpr double kReach = 10;   // pixels between the pointer and a point that it means
constexpr double kMargin = 1.1; // of the range around the points
constexpr std::size_t kMaxLabels = 200;
constexpr int kLabelWidth = 150;
constexpr double kLabelGap = 7; // between a point and its label

} // namespace

ProjectionPlot::ProjectionPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setMinimumSize(200, 160);
    axisRect()->setMinimumMargins({8, 8, 8, 0});
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTicker(QSharedPointer<ValueTicker>::create());
        axis->ticker()->setTickCount(4);
    }
    for (QCPGraph** graph : {&m_points, &m_neighbours, &m_chosen}) {
        *graph = addGraph();
        (*graph)->setLineStyle(QCPGraph::lsNone);
        (*graph)->setSelectable(QCP::stNone);
    }
    for (QCPAxis* axis : {xAxis, yAxis}) {
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] { placeLabels(); });
    }
    connect(this, &QCustomPlot::afterLayout, this, &ProjectionPlot::layOutLabels); // a picture may have another size
    restyle();
}

void ProjectionPlot::restyle() {
    stylePlot(*this);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        styleAxisLabel(*axis, 6);
    }
    QColor fill = seriesColor(0);
    fill.setAlphaF(0.55F);
    m_points->setScatterStyle({QCPScatterStyle::ssCircle, QPen(seriesColor(0), 1), QBrush(fill), kPointSize});
    // In the colour of the point that they are near to, and opaque, so that rings that overlap stay rings.
    m_neighbours->setScatterStyle(
        {QCPScatterStyle::ssCircle, QPen(seriesColor(1), 1.8), QBrush(themeColor(Token::Base)), kPointSize + 1});
    m_chosen->setScatterStyle(
        {QCPScatterStyle::ssDiamond, QPen(themeColor(Token::Text), 1.6), QBrush(seriesColor(1)), kChosenSize});
    for (QCPItemText* label : m_labels) {
        label->setFont(themeFont(TextStyle::Axis));
        label->setColor(themeColor(Token::Text));
    }
    replot(rpQueuedReplot);
}

void ProjectionPlot::setPoints(std::shared_ptr<const ProjectedPoints> points) {
    m_content = std::move(points);
    m_chosenPoint.reset();
    m_hovered.reset();
    for (QCPGraph* graph : {m_points, m_neighbours, m_chosen}) {
        graph->data()->clear();
    }
    if (m_content != nullptr) {
        std::vector<std::size_t> all(count());
        std::iota(all.begin(), all.end(), std::size_t{0});
        fill(m_points, all); // without those that have no place
        const auto label = [this](std::size_t axis) {
            return tr("Component %1 (%2 % of the variance)")
                .arg(QString::number(axis + 1), formatFixed(100 * m_content->plane.explained[axis], 1));
        };
        xAxis->setLabel(label(0));
        yAxis->setLabel(label(1));
    }
    showAll();
}

void ProjectionPlot::fill(QCPGraph* graph, const std::vector<std::size_t>& points) const {
    QVector<double> x;
    QVector<double> y;
    for (const std::size_t index : points) {
        const auto& point = m_content->plane.points[index];
        if (!std::isnan(point[0])) {
            x << point[0];
            y << point[1];
        }
    }
    graph->setData(x, y);
}

void ProjectionPlot::choose(std::optional<std::size_t> point, const std::vector<std::size_t>& neighbours) {
    m_chosenPoint = point;
    fill(m_neighbours, neighbours);
    fill(m_chosen, point ? std::vector{*point} : std::vector<std::size_t>());
    placeLabels();
}

void ProjectionPlot::setLabelled(bool labelled) {
    m_labelled = labelled;
    placeLabels();
}

void ProjectionPlot::setHovered(std::optional<std::size_t> point) {
    if (std::exchange(m_hovered, point) != point) {
        placeLabels();
    }
}

// The labels of the point under the pointer and of the chosen one come first; labels that would overlap them or leave
// the plot are left out.
void ProjectionPlot::layOutLabels() {
    std::vector<std::size_t> points;
    if (m_hovered) {
        points.push_back(*m_hovered);
    }
    if (m_labelled && m_chosenPoint) {
        points.push_back(*m_chosenPoint);
    }
    for (std::size_t index = 0; m_labelled && index < count(); ++index) {
        points.push_back(index);
    }
    const QFontMetricsF metrics(themeFont(TextStyle::Axis));
    std::vector<QRectF> taken;
    std::size_t used = 0;
    for (const std::size_t index : points) {
        const auto& point = m_content->plane.points[index];
        const QPointF at(xAxis->coordToPixel(point[0]), yAxis->coordToPixel(point[1]));
        if (used == kMaxLabels || std::isnan(point[0]) || !QRectF(axisRect()->rect()).contains(at)) {
            continue;
        }
        const QString text = metrics.elidedText(m_content->labels[index], Qt::ElideRight, kLabelWidth);
        const double width = metrics.horizontalAdvance(text);
        const bool isRight = at.x() + kLabelGap + width <= axisRect()->right();
        const QRectF place(isRight ? at.x() + kLabelGap : at.x() - kLabelGap - width, at.y() - metrics.height() / 2,
                           width, metrics.height());
        if (text.isEmpty() || place.left() < axisRect()->left() ||
            std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(place); })) {
            continue;
        }
        taken.push_back(place);
        if (used == m_labels.size()) {
            auto* label = new QCPItemText(this);
            label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
            label->position->setType(QCPItemPosition::ptAbsolute);
            label->setSelectable(false);
            label->setFont(themeFont(TextStyle::Axis));
            label->setColor(themeColor(Token::Text));
            m_labels.push_back(label);
        }
        QCPItemText* const label = m_labels[used++];
        label->setText(text);
        label->position->setCoords(place.topLeft());
        label->setVisible(true);
    }
    for (std::size_t i = used; i < m_labels.size(); ++i) {
        m_labels[i]->setVisible(false);
    }
}

void ProjectionPlot::placeLabels() {
    layOutLabels();
    replot(rpQueuedReplot);
}

QStringList ProjectionPlot::labels() const {
    QStringList texts;
    for (const QCPItemText* label : m_labels) {
        if (label->visible()) {
            texts.append(label->text());
        }
    }
    return texts;
}

std::vector<PictureKey> ProjectionPlot::keys(const QString& points, const QString& chosen) const {
    const auto key = [](const QString& text, const QCPGraph* graph) {
        return PictureKey{text, [graph](QPainter& painter, const QRectF& rect) {
                              painter.setRenderHint(QPainter::Antialiasing);
                              // QCPScatterStyle draws with a QCPPainter, which a picture's painter is not.
                              const QCPScatterStyle& style = graph->scatterStyle();
                              painter.setPen(style.pen());
                              painter.setBrush(style.brush());
                              const double radius = style.size() / 2;
                              if (style.shape() == QCPScatterStyle::ssDiamond) {
                                  painter.drawPolygon(QPolygonF(
                                      {rect.center() + QPointF(0, -radius), rect.center() + QPointF(radius, 0),
                                       rect.center() + QPointF(0, radius), rect.center() + QPointF(-radius, 0)}));
                              } else {
                                  painter.drawEllipse(rect.center(), radius, radius);
                              }
                          }};
    };
    return {key(points, m_points), key(chosen, m_chosen), key(tr("the most similar to it"), m_neighbours)};
}

// One unit is equally long on both axes, because distances are what the plot shows.
void ProjectionPlot::showAll() {
    double maximum = 0;
    double lowX = 0;
    double highX = 0;
    double lowY = 0;
    double highY = 0;
    if (m_content != nullptr) {
        for (const auto& point : m_content->plane.points) {
            if (!std::isnan(point[0])) {
                lowX = std::min(lowX, point[0]);
                highX = std::max(highX, point[0]);
                lowY = std::min(lowY, point[1]);
                highY = std::max(highY, point[1]);
            }
        }
        maximum = std::max(highX - lowX, highY - lowY);
    }
    if (maximum <= 0) {
        lowX = lowY = -1;
        highX = highY = 1;
    }
    const double width = std::max(1, axisRect()->width());
    const double height = std::max(1, axisRect()->height());
    const double unit = kMargin * std::max((highX - lowX) / width, (highY - lowY) / height); // for each pixel
    xAxis->setRange((lowX + highX) / 2, unit * width, Qt::AlignCenter);
    yAxis->setRange((lowY + highY) / 2, unit * height, Qt::AlignCenter);
    placeLabels();
}

void ProjectionPlot::resizeEvent(QResizeEvent* event) {
    ZoomPlot::resizeEvent(event);
    replot(rpImmediateRefresh); // computes the size of the axes' rectangle
    showAll();
}

QPoint ProjectionPlot::pointOf(std::size_t index) const {
    const auto& point = m_content->plane.points[index];
    return QPointF(xAxis->coordToPixel(point[0]), yAxis->coordToPixel(point[1])).toPoint();
}

std::optional<std::size_t> ProjectionPlot::pointAt(QPointF position) const {
    std::optional<std::size_t> nearest;
    double minimum = kReach;
    for (std::size_t i = 0; m_content != nullptr && i < m_content->plane.points.size(); ++i) {
        const auto& point = m_content->plane.points[i];
        const double away =
            std::hypot(xAxis->coordToPixel(point[0]) - position.x(), yAxis->coordToPixel(point[1]) - position.y());
        if (away < minimum) { // false for NaN
            minimum = away;
            nearest = i;
        }
    }
    return nearest;
}

bool ProjectionPlot::step(int columns, int rows, Qt::KeyboardModifiers modifiers) {
    if (!modifiers.testFlag(Qt::ShiftModifier)) {
        return ZoomPlot::step(columns, rows, modifiers);
    }
    if (count() > 0) {
        const auto last = static_cast<std::ptrdiff_t>(count()) - 1;
        const auto at = static_cast<std::ptrdiff_t>(m_chosenPoint.value_or(0)) + columns + rows;
        emit picked(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last)));
    }
    return true;
}

void ProjectionPlot::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    ZoomPlot::mousePressEvent(event);
}

void ProjectionPlot::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = event->button() == Qt::LeftButton &&
                         (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    const auto at = clicked ? pointAt(event->position()) : std::nullopt;
    ZoomPlot::mouseReleaseEvent(event);
    if (at) {
        emit picked(*at);
    }
}

void ProjectionPlot::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    const auto at = pointAt(event->position());
    setHovered(at);
    const QString text = at && m_content->tip ? m_content->tip(*at) : QString();
    if (at) {
        QToolTip::showText(event->globalPosition().toPoint(), plainToolTip(text), this);
    } else {
        QToolTip::hideText();
    }
    emit hovered(text);
}

void ProjectionPlot::leaveEvent(QEvent* event) {
    ZoomPlot::leaveEvent(event);
    setHovered({});
    emit hovered({});
}

} // namespace gufo::ui

#include "moc_projection_plot.cpp"
