#include "ui/pages/embed/projection_plot.h"

#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"

#include <QApplication>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

constexpr double kPointSize = 7;
constexpr double kChosenSize = 11;
constexpr double kReach = 10;   // pixels between the pointer and a point that it means
constexpr double kMargin = 1.1; // of the range around the points
constexpr std::size_t kHoverBytes = 160;
constexpr std::size_t kHoverNeighbours = 3;
constexpr std::size_t kMaxLabels = 200;
constexpr std::size_t kLabelBytes = 80;
constexpr int kLabelWidth = 150;
constexpr double kLabelGap = 7; // between a point and its label

} // namespace

ProjectionPlot::ProjectionPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Lines in the plane of their first two principal components"));
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
    m_neighbours->setScatterStyle(
        {QCPScatterStyle::ssCircle, QPen(themeColor(Token::Text), 1.4), QBrush(fill), kPointSize + 2});
    m_chosen->setScatterStyle(
        {QCPScatterStyle::ssDiamond, QPen(themeColor(Token::Text), 1.6), QBrush(seriesColor(1)), kChosenSize});
    for (QCPItemText* label : m_labels) {
        label->setFont(themeFont(TextStyle::Axis));
        label->setColor(themeColor(Token::Text));
    }
    replot(rpQueuedReplot);
}

void ProjectionPlot::setResult(std::shared_ptr<const EmbedResult> result) {
    m_result = std::move(result);
    m_line.reset();
    m_hovered.reset();
    for (QCPGraph* graph : {m_points, m_neighbours, m_chosen}) {
        graph->data()->clear();
    }
    if (m_result != nullptr) {
        std::vector<std::size_t> lines;
        for (std::size_t i = 0; i < m_result->plane.points.size(); ++i) {
            if (!std::isnan(m_result->plane.points[i][0])) {
                lines.push_back(i);
            }
        }
        fill(m_points, lines);
        const auto label = [this](std::size_t axis) {
            return tr("Component %1 (%2 % of the variance)")
                .arg(QString::number(axis + 1), formatFixed(100 * m_result->plane.explained[axis], 1));
        };
        xAxis->setLabel(label(0));
        yAxis->setLabel(label(1));
    }
    showAll();
}

void ProjectionPlot::fill(QCPGraph* graph, const std::vector<std::size_t>& lines) const {
    QVector<double> x;
    QVector<double> y;
    for (const std::size_t line : lines) {
        const auto& point = m_result->plane.points[line];
        if (!std::isnan(point[0])) {
            x << point[0];
            y << point[1];
        }
    }
    graph->setData(x, y);
}

void ProjectionPlot::setLine(std::size_t line, const std::vector<std::size_t>& neighbours) {
    m_line = line;
    fill(m_neighbours, neighbours);
    fill(m_chosen, {line});
    placeLabels();
}

void ProjectionPlot::setLabelled(bool labelled) {
    m_labelled = labelled;
    placeLabels();
}

void ProjectionPlot::setHovered(std::optional<std::size_t> line) {
    if (std::exchange(m_hovered, line) != line) {
        placeLabels();
    }
}

// The labels of the point under the pointer and of the chosen one come first; labels that would overlap them or leave
// the plot are left out.
void ProjectionPlot::layOutLabels() {
    std::vector<std::size_t> lines;
    if (m_hovered) {
        lines.push_back(*m_hovered);
    }
    if (m_labelled && m_line) {
        lines.push_back(*m_line);
    }
    for (std::size_t line = 0; m_labelled && m_result != nullptr && line < m_result->size(); ++line) {
        lines.push_back(line);
    }
    const QFontMetricsF metrics(themeFont(TextStyle::Axis));
    std::vector<QRectF> taken;
    std::size_t used = 0;
    for (const std::size_t line : lines) {
        const auto& point = m_result->plane.points[line];
        const QPointF at(xAxis->coordToPixel(point[0]), yAxis->coordToPixel(point[1]));
        if (used == kMaxLabels || std::isnan(point[0]) || !QRectF(axisRect()->rect()).contains(at)) {
            continue;
        }
        const QString text = metrics.elidedText(excerpt(m_result->lines->texts[line], kLabelBytes).simplified(),
                                                Qt::ElideRight, kLabelWidth);
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

std::vector<PictureKey> ProjectionPlot::keys(const QString& chosen) const {
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
    return {key(tr("texts"), m_points), key(chosen, m_chosen), key(tr("the most similar to it"), m_neighbours)};
}

// One unit is equally long on both axes, because distances are what the plot shows.
void ProjectionPlot::showAll() {
    double maximum = 0;
    double lowX = 0;
    double highX = 0;
    double lowY = 0;
    double highY = 0;
    if (m_result != nullptr) {
        for (const auto& point : m_result->plane.points) {
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

QPoint ProjectionPlot::pointOf(std::size_t line) const {
    const auto& point = m_result->plane.points[line];
    return QPointF(xAxis->coordToPixel(point[0]), yAxis->coordToPixel(point[1])).toPoint();
}

std::optional<std::size_t> ProjectionPlot::lineAt(QPointF position) const {
    std::optional<std::size_t> nearest;
    double minimum = kReach;
    for (std::size_t i = 0; m_result != nullptr && i < m_result->plane.points.size(); ++i) {
        const auto& point = m_result->plane.points[i];
        const double away =
            std::hypot(xAxis->coordToPixel(point[0]) - position.x(), yAxis->coordToPixel(point[1]) - position.y());
        if (away < minimum) { // false for NaN
            minimum = away;
            nearest = i;
        }
    }
    return nearest;
}

QString ProjectionPlot::hoverText(std::size_t line) const {
    const TextLines& lines = *m_result->lines;
    QStringList text{tr("Line %1: %2").arg(formatCount(lines.numbers[line]), excerpt(lines.texts[line], kHoverBytes))};
    for (const Neighbour& one : neighboursOf(line, m_result->cosines, m_result->size())) {
        if (static_cast<std::size_t>(text.size()) > kHoverNeighbours || std::isnan(one.cosine)) {
            break;
        }
        text << tr("%1  line %2: %3")
                    .arg(formatFixed(static_cast<double>(one.cosine), 3), formatCount(lines.numbers[one.index]),
                         excerpt(lines.texts[one.index], kHoverBytes / 2));
    }
    return text.join(u'\n');
}

bool ProjectionPlot::step(int columns, int rows, Qt::KeyboardModifiers modifiers) {
    if (!modifiers.testFlag(Qt::ShiftModifier)) {
        return ZoomPlot::step(columns, rows, modifiers);
    }
    if (m_result != nullptr && m_result->size() > 0) {
        const auto last = static_cast<std::ptrdiff_t>(m_result->size()) - 1;
        const auto at = static_cast<std::ptrdiff_t>(m_line.value_or(0)) + columns + rows;
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
    const auto at = clicked ? lineAt(event->position()) : std::nullopt;
    ZoomPlot::mouseReleaseEvent(event);
    if (at) {
        emit picked(*at);
    }
}

void ProjectionPlot::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    const auto at = lineAt(event->position());
    setHovered(at);
    const QString text = at ? hoverText(*at) : QString();
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
