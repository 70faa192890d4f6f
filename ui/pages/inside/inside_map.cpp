#include "ui/pages/inside/inside_map.h"

#include "ui/messages/figure_text.h"

#include <QApplication>
#include <QMouseEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kScaleWidth = 12;
constexpr int kScaleGap = 20;
constexpr double kSmallestMark = 8; // pixels

// Numbers of rows or columns, at the middle of their cells.
class CellTicker : public QCPAxisTicker {
public:
    CellTicker(const InsideMap& map, bool ofRows)
        : m_map(map)
        , m_ofRows(ofRows) {
        setTickCount(8);
    }

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        QVector<double> ticks;
        const auto step = std::max<qint64>(1, std::llround(getTickStep(range)));
        const auto last = std::min(static_cast<qint64>(count()), static_cast<qint64>(std::ceil(range.upper)));
        for (qint64 i = std::max<qint64>(0, static_cast<qint64>(std::floor(range.lower))); i < last; ++i) {
            if (i % step == 0) {
                ticks << static_cast<double>(i) + 0.5;
            }
        }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const auto i = static_cast<std::size_t>(tick);
        if (i >= count()) {
            return {};
        }
        return m_ofRows && m_map.cells().rowLabel ? m_map.cells().rowLabel(i) : formatCount(i);
    }

private:
    [[nodiscard]] std::size_t count() const { return m_ofRows ? m_map.cells().rows : m_map.cells().columns; }

    const InsideMap& m_map;
    bool m_ofRows;
};

// Scales only the visible part of the image, draws it, and marks the picked cell.
class CellImage : public QCPAbstractItem {
public:
    explicit CellImage(InsideMap& map)
        : QCPAbstractItem(&map)
        , m_map(map) {
        setSelectable(false);
    }
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override {
        if (m_map.image().isNull()) {
            return;
        }
        const QRectF cells =
            QRectF(m_map.image().rect()) &
            QRectF(QPointF(std::floor(m_map.xAxis->range().lower), std::floor(m_map.yAxis->range().lower)),
                   QPointF(std::ceil(m_map.xAxis->range().upper), std::ceil(m_map.yAxis->range().upper)));
        const QRectF target = onScreen(cells);
        painter->setRenderHint(QPainter::SmoothPixmapTransform, target.width() < cells.width());
        painter->drawImage(target, m_map.image(), cells);
        const auto [row, column] = m_map.cell();
        QRectF mark = onScreen(QRectF(static_cast<double>(column), static_cast<double>(row), 1, 1));
        const double wider = std::max(0.0, kSmallestMark - mark.width()) / 2;
        const double higher = std::max(0.0, kSmallestMark - mark.height()) / 2;
        mark.adjust(-wider, -higher, wider, higher);
        painter->setAntialiasing(true);
        painter->setBrush(Qt::NoBrush);
        for (const auto& [token, width] : {std::pair(Token::Base, 4.6), std::pair(Token::Text, 1.6)}) {
            painter->setPen(QPen(themeColor(token), width));
            painter->drawRect(mark);
        }
    }

private:
    [[nodiscard]] QRectF onScreen(const QRectF& cells) const {
        return {QPointF(m_map.xAxis->coordToPixel(cells.left()), m_map.yAxis->coordToPixel(cells.top())),
                QPointF(m_map.xAxis->coordToPixel(cells.right()), m_map.yAxis->coordToPixel(cells.bottom()))};
    }

    InsideMap& m_map;
};

} // namespace

InsideMap::InsideMap(const QString& accessibleName, QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(accessibleName);
    setMinimumSize(200, 140);
    axisRect()->setAutoMargins(QCP::msBottom | QCP::msLeft);
    axisRect()->setMargins({0, 8, 4, 0});
    xAxis->setTicker(QSharedPointer<CellTicker>::create(*this, false));
    yAxis->setTicker(QSharedPointer<CellTicker>::create(*this, true));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->grid()->setVisible(false);
    }
    yAxis->setRangeReversed(true);
    m_colours = new QCPColorMap(xAxis, yAxis);
    m_colours->setVisible(false);
    m_scale = new QCPColorScale(this);
    plotLayout()->addElement(0, 1, m_scale);
    plotLayout()->setColumnSpacing(kScaleGap);
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(kScaleWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    m_scale->axis()->setTicker(QSharedPointer<ValueTicker>::create());
    m_scale->axis()->ticker()->setTickCount(4);
    m_colours->setColorScale(m_scale);
    auto* group = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, group);
    m_scale->setMarginGroup(QCP::msBottom | QCP::msTop, group);
    new CellImage(*this);
    restyle();
}

void InsideMap::restyle() {
    stylePlot(*this);
    styleAxis(*m_scale->axis());
    m_scale->axis()->setBasePen(Qt::NoPen);
    m_scale->axis()->grid()->setVisible(false);
    for (QCPAxis* axis : {xAxis, yAxis, m_scale->axis()}) {
        styleAxisLabel(*axis, 4);
    }
    paintCells();
    replot(rpQueuedReplot);
}

void InsideMap::setCells(InsideCells cells) {
    const bool sameShape = cells.rows == m_cells.rows && cells.columns == m_cells.columns;
    m_cells = std::move(cells);
    m_row = std::min(m_row, std::max<std::size_t>(m_cells.rows, 1) - 1);
    m_column = std::min(m_column, std::max<std::size_t>(m_cells.columns, 1) - 1);
    xAxis->setLabel(m_cells.columnName);
    yAxis->setLabel(m_cells.rowName);
    m_scale->axis()->setLabel(m_cells.scaleName);
    paintCells();
    if (sameShape) {
        replot(rpQueuedReplot);
    } else {
        showAll();
    }
}

void InsideMap::paintCells() {
    m_image = {};
    if (m_cells.values.empty()) {
        return;
    }
    float largest = 0;
    for (const float value : m_cells.values) {
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    }
    constexpr float kRounding = 1 + 1e-6F; // so that the largest value is not beyond the end
    const float range = largest > 0 ? largest * kRounding : 1;
    const float lowest = m_cells.diverging ? -range : 0;
    QCPColorGradient gradient = m_cells.diverging ? divergingGradient() : colorGradient(ColorMap::Viridis);
    m_colours->setGradient(gradient);
    m_colours->setDataRange({static_cast<double>(lowest), static_cast<double>(range)});
    m_image = QImage(static_cast<int>(m_cells.columns), static_cast<int>(m_cells.rows), QImage::Format_RGB32);
    std::array<QRgb, 256> colours{};
    for (std::size_t i = 0; i < colours.size(); ++i) {
        colours[i] = m_cells.diverging ? gradient.color(static_cast<double>(i), {0, 255})
                                       : colorMapAt(ColorMap::Viridis, static_cast<double>(i) / 255).rgb();
    }
    const QRgb nothing = themeColor(Token::Base).rgb();
    const QRgb notANumber = themeColor(Token::ErrorText).rgb();
    for (std::size_t row = 0; row < m_cells.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(static_cast<int>(row)));
        for (std::size_t column = 0; column < m_cells.columns; ++column) {
            const float value = m_cells.at(row, column);
            line[column] = std::isnan(value) ? nothing
                           : std::isinf(value)
                               ? notANumber
                               : colours[static_cast<std::size_t>(
                                     std::clamp((value - lowest) / (range - lowest), 0.0F, 1.0F) * 255.0F + 0.5F)];
        }
    }
}

void InsideMap::setCell(std::size_t row, std::size_t column) {
    m_row = row;
    m_column = column;
    setAccessibleDescription(textOf(row, column));
    replot(rpQueuedReplot);
}

void InsideMap::showAll() {
    xAxis->setRange(0, static_cast<double>(std::max<std::size_t>(m_cells.columns, 1)));
    yAxis->setRange(0, static_cast<double>(std::max<std::size_t>(m_cells.rows, 1)));
    replot(rpQueuedReplot);
}

QPoint InsideMap::centreOf(std::size_t row, std::size_t column) const {
    return QPointF(xAxis->coordToPixel(static_cast<double>(column) + 0.5),
                   yAxis->coordToPixel(static_cast<double>(row) + 0.5))
        .toPoint();
}

QString InsideMap::textOf(std::size_t row, std::size_t column) const {
    return row < m_cells.rows && column < m_cells.columns && m_cells.describe
               ? m_cells.describe(row, column, m_cells.at(row, column))
               : QString();
}

std::optional<std::pair<std::size_t, std::size_t>> InsideMap::cellAt(QPointF position) const {
    if (!axisRect()->rect().contains(position.toPoint())) {
        return std::nullopt;
    }
    const double x = std::floor(xAxis->pixelToCoord(position.x()));
    const double y = std::floor(yAxis->pixelToCoord(position.y()));
    if (x < 0 || y < 0 || x >= static_cast<double>(m_cells.columns) || y >= static_cast<double>(m_cells.rows)) {
        return std::nullopt;
    }
    return std::pair{static_cast<std::size_t>(y), static_cast<std::size_t>(x)};
}

void InsideMap::pick(std::size_t row, std::size_t column) {
    setCell(row, column);
    emit hovered(textOf(row, column));
    emit picked(row, column);
}

bool InsideMap::step(int columns, int rows, Qt::KeyboardModifiers modifiers) {
    if (!modifiers.testFlag(Qt::ShiftModifier)) {
        return ZoomPlot::step(columns, rows, modifiers);
    }
    if (!m_cells.values.empty()) {
        const auto moved = [](std::size_t at, int by, std::size_t count) {
            const auto last = static_cast<std::ptrdiff_t>(count) - 1;
            return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + by, 0, last));
        };
        pick(moved(m_row, rows, m_cells.rows), moved(m_column, columns, m_cells.columns));
    }
    return true;
}

void InsideMap::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    ZoomPlot::mousePressEvent(event);
}

void InsideMap::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = event->button() == Qt::LeftButton &&
                         (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    const auto at = clicked ? cellAt(event->position()) : std::nullopt;
    ZoomPlot::mouseReleaseEvent(event);
    if (at) {
        pick(at->first, at->second);
    }
}

void InsideMap::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    const auto at = cellAt(event->position());
    emit hovered(at ? textOf(at->first, at->second) : QString());
}

void InsideMap::leaveEvent(QEvent* event) {
    ZoomPlot::leaveEvent(event);
    emit hovered({});
}

} // namespace gufo::ui

#include "moc_inside_map.cpp"
