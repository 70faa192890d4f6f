#include "ui/plots/heat_map.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

constexpr int kSettleMs = 60;
constexpr double kFewestCells = 4; // across the map at the highest zoom
constexpr int kScaleWidth = 12;
constexpr int kScaleGap = 20;
constexpr int kRightMargin = 4;
constexpr double kCloseColumns = 128;
constexpr double kCloseRows = 64;
constexpr double kClosestBorders = 12; // pixels; denser borders would hide the weights
constexpr double kSmallestMarker = 8;

// Draws over the heat map: the borders of blocks and sub-blocks, and the rectangle that the value grid shows.
class MapOverlay : public QCPAbstractItem {
public:
    explicit MapOverlay(HeatMap& map);
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    void drawBorders(QCPPainter& painter, std::uint64_t every, const QPen& pen, std::uint64_t except) const;
    void drawMarker(QCPPainter& painter) const;

    HeatMap& m_heatMap;
};

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

} // namespace

QCPRange colorLimits(double low, double high) {
    if (low < 0 && high > 0) {
        const double far = std::max(-low, high);
        return {-far, far};
    }
    if (low < high) {
        return {low, high};
    }
    // All values are equal: a range around them, because one of no width has no colours.
    const double around = low == 0 ? 1 : std::abs(low) / 2;
    return {low - around, low + around};
}

HeatMap::HeatMap(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Map of weights"));
    setMinimumHeight(140);
    setInteraction(QCP::iRangeZoom, false); // wheel events are handled here
    axisRect()->setAutoMargins(QCP::msBottom);
    axisRect()->setMargins({kPlotLeftMargin, 4, kRightMargin, 0});
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->grid()->setVisible(false);
        axis->setTicker(QSharedPointer<IndexTicker>::create());
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] { changed(); });
    }
    yAxis->setRangeReversed(true);
    yAxis->ticker()->setTickCount(4);

    m_map = new QCPColorMap(xAxis, yAxis);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false);
    m_map->setAntialiased(false);
    m_scale = new QCPColorScale(this);
    plotLayout()->addElement(0, 1, m_scale);
    plotLayout()->setColumnSpacing(kScaleGap);
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(kScaleWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    m_scale->setMinimumMargins({0, 8, 0, 8});
    m_scale->axis()->setTicker(QSharedPointer<ValueTicker>::create());
    m_scale->axis()->ticker()->setTickCount(4);
    m_map->setColorScale(m_scale);
    auto* group = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msBottom, group);
    m_scale->setMarginGroup(QCP::msBottom, group);
    new MapOverlay(*this); // the plot owns it

    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettleMs);
    connect(&m_settled, &QTimer::timeout, this, &HeatMap::viewChanged);
    restyle();
}

void HeatMap::restyle() {
    stylePlot(*this);
    styleAxis(*m_scale->axis());
    m_scale->axis()->setBasePen(Qt::NoPen);
    m_scale->axis()->grid()->setVisible(false);
    m_map->setGradient(gradient());
    QColor zoom = themeColor(Token::Accent);
    selectionRect()->setPen(QPen(zoom, 1));
    zoom.setAlphaF(0.2F);
    selectionRect()->setBrush(zoom);
    replot(rpQueuedReplot);
}

void HeatMap::setMatrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t blockColumns,
                        std::uint64_t subBlockColumns) {
    m_rows = rows;
    m_columns = columns;
    m_blockColumns = blockColumns;
    m_subBlockColumns = subBlockColumns;
    m_cells = {};
    m_limits.reset();
    m_marker.reset();
    m_map->setVisible(false);
    showAll();
    changed();
}

void HeatMap::setLimits(std::optional<QCPRange> limits) {
    m_limits = limits;
    if (limits) {
        m_map->setDataRange(*limits);
        replot(rpQueuedReplot);
    }
}

void HeatMap::setFold(MapFold fold) {
    if (fold != m_fold) {
        m_fold = fold;
        changed();
    }
}

// Of many weights the largest is large everywhere; the root mean square shows which rows and columns stand out.
MapFold HeatMap::View::foldFor(MapFold wanted) const {
    constexpr std::uint64_t kManyWeights = 8; // in one cell
    if (rows() <= maxRows && columns() <= maxColumns) {
        return MapFold::Signed;
    }
    if (wanted != MapFold::Automatic) {
        return wanted;
    }
    const bool many = (rows() / maxRows + 1) * (columns() / maxColumns + 1) > kManyWeights;
    return many ? MapFold::RootMeanSquare : MapFold::Signed;
}

// The range of nearly all cells: a few outliers would leave the others a single colour, and are drawn in the colour of
// the end.
QCPRange HeatMap::rangeOfCells() const {
    constexpr double kLeftOut = 0.002; // at each end
    std::vector<float> values;
    values.reserve(m_cells.values.size());
    std::ranges::copy_if(m_cells.values, std::back_inserter(values), [](float value) { return std::isfinite(value); });
    if (values.empty()) {
        return {-1, 1};
    }
    const auto at = [&](double share) {
        const auto place =
            values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
        std::ranges::nth_element(values, place);
        return static_cast<double>(*place);
    };
    const double low = at(kLeftOut);
    const double high = at(1 - kLeftOut);
    const double far = std::max(std::abs(low), std::abs(high));
    return m_isDiverging && hasSign() ? colorLimits(-far, far) : colorLimits(low, high);
}

bool HeatMap::hasSign() const { return m_cellsFold == MapFold::Signed || m_cellsFold == MapFold::Mean; }

QCPColorGradient HeatMap::gradient() const {
    return m_isDiverging && hasSign() ? divergingGradient() : colorGradient(m_colorMap);
}

void HeatMap::setColorMap(ColorMap map) {
    m_colorMap = map;
    m_map->setGradient(gradient());
    replot(rpQueuedReplot);
}

void HeatMap::setDiverging(bool diverging) {
    m_isDiverging = diverging;
    m_map->setGradient(gradient());
    replot(rpQueuedReplot);
}

void HeatMap::setRanges(QCPRange columns, QCPRange rows) {
    xAxis->setRange(columns);
    yAxis->setRange(rows);
}

void HeatMap::showAll() {
    setRanges({0, static_cast<double>(std::max<std::uint64_t>(m_columns, 1))},
              {0, static_cast<double>(std::max<std::uint64_t>(m_rows, 1))});
}

void HeatMap::showRange(const CellRange& range) {
    setRanges({static_cast<double>(range.firstColumn), static_cast<double>(range.lastColumn) + 1},
              {static_cast<double>(range.firstRow), static_cast<double>(range.lastRow) + 1});
}

void HeatMap::showWeight(std::uint64_t row, std::uint64_t column, bool close) {
    const auto around = [close](QCPAxis* axis, double at, double few) {
        const QCPRange now = axis->range();
        const double size = close ? std::min(now.size(), few) : now.size();
        if (size == now.size() && now.contains(at) && now.contains(at + 1)) {
            return now;
        }
        return QCPRange(at + 0.5 - size / 2, at + 0.5 + size / 2);
    };
    setRanges(around(xAxis, static_cast<double>(column), kCloseColumns),
              around(yAxis, static_cast<double>(row), kCloseRows));
}

void HeatMap::clampAxis(QCPAxis* axis, double whole) {
    const QCPRange range = axis->range();
    const double size = std::clamp(range.size(), std::min(kFewestCells, whole), whole);
    const double lower = std::clamp(range.center() - size / 2, 0.0, whole - size);
    axis->setRange(lower, lower + size);
}

void HeatMap::changed() {
    if (m_clamping) {
        return;
    }
    m_clamping = true;
    clampAxis(xAxis, static_cast<double>(std::max<std::uint64_t>(m_columns, 1)));
    clampAxis(yAxis, static_cast<double>(std::max<std::uint64_t>(m_rows, 1)));
    m_clamping = false;
    if (m_rows != 0 && m_columns != 0) {
        m_settled.start();
        emit rangeShown(view().range);
    }
    replot(rpQueuedReplot);
}

HeatMap::View HeatMap::view() const {
    const auto first = [](const QCPRange& range) { return static_cast<std::uint64_t>(std::max(range.lower, 0.0)); };
    const auto last = [](const QCPRange& range, std::uint64_t count) {
        const auto end = static_cast<std::uint64_t>(std::ceil(std::max(range.upper, 1.0) - 1e-9));
        return std::min(end, count) - 1;
    };
    const QSize pixels = axisRect()->size();
    return {.range = {.firstRow = first(yAxis->range()),
                      .lastRow = last(yAxis->range(), std::max<std::uint64_t>(m_rows, 1)),
                      .firstColumn = first(xAxis->range()),
                      .lastColumn = last(xAxis->range(), std::max<std::uint64_t>(m_columns, 1))},
            .maxRows = static_cast<std::uint64_t>(std::max(pixels.height(), 1)),
            .maxColumns = static_cast<std::uint64_t>(std::max(pixels.width(), 1))};
}

void HeatMap::setCells(const CellRange& range, const Slice& cells, MapFold fold) {
    m_cellsFold = fold;
    m_cellsRange = range;
    m_cells = cells;
    if (fold == MapFold::LargestMagnitude) {
        std::ranges::transform(m_cells.values, m_cells.values.begin(), [](float value) { return std::abs(value); });
    }
    m_map->setGradient(gradient());
    m_map->setDataRange(weightsPerCell() <= 1 && m_limits ? *m_limits : rangeOfCells());
    emit rangeShown(view().range);
    const auto centres = [](std::uint64_t first, std::uint64_t last, std::uint64_t count) {
        const double cell = (static_cast<double>(last - first) + 1) / static_cast<double>(count);
        return QCPRange(static_cast<double>(first) + cell / 2, static_cast<double>(last) + 1 - cell / 2);
    };
    m_map->setVisible(cells.rows != 0 && cells.columns != 0);
    if (!m_map->visible()) {
        replot(rpQueuedReplot);
        return;
    }
    // QCustomPlot draws nothing for a single row or column, so it is drawn as two identical ones.
    const std::uint64_t drawnRows = std::max<std::uint64_t>(cells.rows, 2);
    const std::uint64_t drawnColumns = std::max<std::uint64_t>(cells.columns, 2);
    auto* colours = new QCPColorMapData(static_cast<int>(drawnColumns), static_cast<int>(drawnRows),
                                        centres(range.firstColumn, range.lastColumn, drawnColumns),
                                        centres(range.firstRow, range.lastRow, drawnRows));
    const QCPRange shown = m_map->dataRange();
    for (std::uint64_t row = 0; row < drawnRows; ++row) {
        for (std::uint64_t column = 0; column < drawnColumns; ++column) {
            // An infinite weight is drawn in the colour of the limit.
            const double value =
                m_cells.values[std::min(row, cells.rows - 1) * cells.columns + std::min(column, cells.columns - 1)];
            colours->setCell(static_cast<int>(column), static_cast<int>(row),
                             std::isinf(value) ? value > 0 ? shown.upper : shown.lower : value);
        }
    }
    m_map->setData(colours);
    replot(rpQueuedReplot);
}

void HeatMap::setMarker(std::optional<CellRange> range) {
    m_marker = range;
    replot(rpQueuedReplot);
}

bool HeatMap::weightAt(QPointF position, std::uint64_t& row, std::uint64_t& column) const {
    const double x = xAxis->pixelToCoord(position.x());
    const double y = yAxis->pixelToCoord(position.y());
    if (!axisRect()->rect().contains(position.toPoint()) || x < 0 || y < 0 || x >= static_cast<double>(m_columns) ||
        y >= static_cast<double>(m_rows)) {
        return false;
    }
    row = static_cast<std::uint64_t>(y);
    column = static_cast<std::uint64_t>(x);
    return true;
}

QString HeatMap::hoverText(std::uint64_t row, std::uint64_t column) const {
    QString text = tr("row %1, column %2").arg(formatCount(row), formatCount(column));
    if (!m_cellsRange.contains(row, column) || m_cells.rows == 0 || m_cells.columns == 0) {
        return text;
    }
    const std::uint64_t allRows = m_cellsRange.lastRow - m_cellsRange.firstRow + 1;
    const std::uint64_t allColumns = m_cellsRange.lastColumn - m_cellsRange.firstColumn + 1;
    const auto cell = [](std::uint64_t at, std::uint64_t all, std::uint64_t cells) {
        return static_cast<std::uint64_t>(static_cast<double>(at) / static_cast<double>(all) *
                                          static_cast<double>(cells));
    };
    const std::uint64_t cellRow = std::min(cell(row - m_cellsRange.firstRow, allRows, m_cells.rows), m_cells.rows - 1);
    const std::uint64_t cellColumn =
        std::min(cell(column - m_cellsRange.firstColumn, allColumns, m_cells.columns), m_cells.columns - 1);
    const double value = m_cells.values[cellRow * m_cells.columns + cellColumn];
    text += QStringLiteral(": ") + formatReal(value, 5);
    const std::uint64_t weights = weightsPerCell();
    return weights <= 1
               ? text
               : text + tr(", %1 of about %n weights here", nullptr, numerus(weights)).arg(foldText(m_cellsFold));
}

std::uint64_t HeatMap::weightsPerCell() const {
    if (m_cells.rows == 0 || m_cells.columns == 0) {
        return 0;
    }
    const double rows = static_cast<double>(m_cellsRange.lastRow - m_cellsRange.firstRow + 1);
    const double columns = static_cast<double>(m_cellsRange.lastColumn - m_cellsRange.firstColumn + 1);
    return static_cast<std::uint64_t>(std::ceil(rows / static_cast<double>(m_cells.rows)) *
                                      std::ceil(columns / static_cast<double>(m_cells.columns)));
}

QString HeatMap::cellsText() const {
    const std::uint64_t weights = weightsPerCell();
    return weights <= 1
               ? QString()
               : tr("each pixel: %1 of about %n weights", nullptr, numerus(weights)).arg(foldText(m_cellsFold));
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    m_picking = event->button() == Qt::LeftButton;
    setSelectionRectMode(event->modifiers().testFlag(Qt::ControlModifier) ? QCP::srmZoom : QCP::srmNone);
    QCustomPlot::mousePressEvent(event);
}

void HeatMap::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton) {
        m_picking = m_picking && (event->pos() - m_pressed).manhattanLength() < 4;
        return;
    }
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    const QString text = weightAt(event->position(), row, column) ? hoverText(row, column) : QString();
    emit hovered(text);
    QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void HeatMap::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    setSelectionRectMode(QCP::srmNone);
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    if (m_picking && weightAt(event->position(), row, column)) {
        emit picked(row, column);
    }
    m_picking = false;
}

void HeatMap::zoomBy(double factor, QPointF centre, bool rowsToo) {
    xAxis->scaleRange(factor, centre.x());
    if (rowsToo) {
        yAxis->scaleRange(factor, centre.y());
    }
}

void HeatMap::wheelEvent(QWheelEvent* event) {
    if (!axisRect()->rect().contains(event->position().toPoint())) {
        event->ignore(); // lets the pane scroll
        return;
    }
    // With Shift, many systems report horizontal scrolling.
    const QPoint turned = event->angleDelta();
    const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
    zoomBy(std::pow(kZoomStep, -steps),
           {xAxis->pixelToCoord(event->position().x()), yAxis->pixelToCoord(event->position().y())},
           !event->modifiers().testFlag(Qt::ShiftModifier));
    event->accept();
}

void HeatMap::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    emit hovered({});
}

void HeatMap::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    if (m_rows != 0 && m_columns != 0) {
        m_settled.start();
    }
}

bool HeatMap::step(int columns, int rows, Qt::KeyboardModifiers modifiers) {
    if (!modifiers.testFlag(Qt::ShiftModifier)) {
        return ZoomPlot::step(columns, rows, modifiers);
    }
    emit stepped(rows, columns);
    return true;
}

} // namespace gufo::ui

#include "moc_heat_map.cpp"
