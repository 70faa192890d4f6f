#include "ui/pages/embed/similarity_map.h"

#include "ui/messages/figure_text.h"

#include <QApplication>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kScaleWidth = 12;
constexpr int kScaleGap = 20;
constexpr std::size_t kHoverTextBytes = 80;
constexpr double kSmallestMark = 8; // pixels

// Numbers of lines, at the middle of their cells.
class LineTicker : public QCPAxisTicker {
public:
    explicit LineTicker(const SimilarityMap& map)
        : m_map(map) {
        setTickCount(6);
    }

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        const EmbedResult* result = m_map.result();
        QVector<double> ticks;
        if (result == nullptr) {
            return ticks;
        }
        const auto step = std::max<qint64>(1, std::llround(getTickStep(range)));
        const auto last = std::min(static_cast<qint64>(result->size()), static_cast<qint64>(std::ceil(range.upper)));
        for (qint64 i = std::max<qint64>(0, static_cast<qint64>(std::floor(range.lower))); i < last; ++i) {
            if ((i + 1) % step == 0 || i == 0) {
                ticks << static_cast<double>(i) + 0.5;
            }
        }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        const EmbedResult* result = m_map.result();
        const auto i = static_cast<std::size_t>(tick);
        return result != nullptr && i < result->size() ? formatCount(result->lines->numbers[i]) : QString();
    }

private:
    const SimilarityMap& m_map;
};

// Scales only the visible part of the prepared image, draws it, and marks the picked pair.
class MapImage : public QCPAbstractItem {
public:
    explicit MapImage(SimilarityMap& map)
        : QCPAbstractItem(&map)
        , m_map(map) {
        setSelectable(false);
    }
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override {
        const EmbedResult* result = m_map.result();
        if (result == nullptr || result->map.isNull()) {
            return;
        }
        const auto size = static_cast<double>(result->size());
        const QRectF cells =
            QRectF(0, 0, size, size) &
            QRectF(QPointF(std::floor(m_map.xAxis->range().lower), std::floor(m_map.yAxis->range().lower)),
                   QPointF(std::ceil(m_map.xAxis->range().upper), std::ceil(m_map.yAxis->range().upper)));
        const QRectF target = onScreen(cells);
        painter->setRenderHint(QPainter::SmoothPixmapTransform, target.width() < cells.width());
        painter->drawImage(target, result->map, cells);
        const auto [row, column] = m_map.pair();
        mark(*painter, QRectF(0, static_cast<double>(row), size, 1), 1);
        mark(*painter, QRectF(static_cast<double>(column), static_cast<double>(row), 1, 1), 1.6);
    }

private:
    [[nodiscard]] QRectF onScreen(const QRectF& cells) const {
        return {QPointF(m_map.xAxis->coordToPixel(cells.left()), m_map.yAxis->coordToPixel(cells.top())),
                QPointF(m_map.xAxis->coordToPixel(cells.right()), m_map.yAxis->coordToPixel(cells.bottom()))};
    }
    void mark(QCPPainter& painter, const QRectF& cells, double width) const {
        QRectF rect = onScreen(cells);
        const double wider = std::max(0.0, kSmallestMark - rect.width()) / 2;
        const double higher = std::max(0.0, kSmallestMark - rect.height()) / 2;
        rect.adjust(-wider, -higher, wider, higher);
        painter.setAntialiasing(true);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(themeColor(Token::Base), width + 3));
        painter.drawRect(rect);
        painter.setPen(QPen(themeColor(Token::Text), width));
        painter.drawRect(rect);
    }

    SimilarityMap& m_map;
};

} // namespace

SimilarityMap::SimilarityMap(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Similarity of each pair of lines"));
    setMinimumSize(200, 160);
    axisRect()->setAutoMargins(QCP::msBottom | QCP::msLeft);
    axisRect()->setMargins({0, 8, 4, 0});
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->grid()->setVisible(false);
        axis->setTicker(QSharedPointer<LineTicker>::create(*this));
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
    m_scale->axis()->setLabel(tr("Cosine"));
    m_colours->setColorScale(m_scale);
    auto* group = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, group);
    m_scale->setMarginGroup(QCP::msBottom | QCP::msTop, group);
    new MapImage(*this);
    restyle();
}

void SimilarityMap::restyle() {
    stylePlot(*this);
    styleAxis(*m_scale->axis());
    m_scale->axis()->setBasePen(Qt::NoPen);
    m_scale->axis()->grid()->setVisible(false);
    styleAxisLabel(*m_scale->axis(), 4);
    m_colours->setGradient(colorGradient(ColorMap::Viridis));
    replot(rpQueuedReplot);
}

void SimilarityMap::setResult(std::shared_ptr<const EmbedResult> result) {
    m_result = std::move(result);
    m_row = 0;
    m_column = 0;
    if (m_result != nullptr) {
        constexpr double kRounding = 1e-9; // so that the tick at 1 is not beyond the end
        m_colours->setDataRange({static_cast<double>(m_result->minimum), 1 + kRounding});
    }
    showAll();
}

void SimilarityMap::setPair(std::size_t row, std::size_t column) {
    m_row = row;
    m_column = column;
    replot(rpQueuedReplot);
}

void SimilarityMap::showAll() {
    const auto size = m_result != nullptr ? static_cast<double>(std::max<std::size_t>(m_result->size(), 1)) : 1.0;
    xAxis->setRange(0, size);
    yAxis->setRange(0, size);
    replot(rpQueuedReplot);
}

QPoint SimilarityMap::centreOf(std::size_t row, std::size_t column) const {
    return QPointF(xAxis->coordToPixel(static_cast<double>(column) + 0.5),
                   yAxis->coordToPixel(static_cast<double>(row) + 0.5))
        .toPoint();
}

std::optional<std::pair<std::size_t, std::size_t>> SimilarityMap::pairAt(QPointF position) const {
    if (m_result == nullptr || !axisRect()->rect().contains(position.toPoint())) {
        return std::nullopt;
    }
    const double x = std::floor(xAxis->pixelToCoord(position.x()));
    const double y = std::floor(yAxis->pixelToCoord(position.y()));
    const auto size = static_cast<double>(m_result->size());
    if (x < 0 || y < 0 || x >= size || y >= size) {
        return std::nullopt;
    }
    return std::pair{static_cast<std::size_t>(y), static_cast<std::size_t>(x)};
}

void SimilarityMap::pick(std::size_t row, std::size_t column) {
    setPair(row, column);
    emit picked(row, column);
}

bool SimilarityMap::step(int columns, int rows, Qt::KeyboardModifiers modifiers) {
    if (!modifiers.testFlag(Qt::ShiftModifier)) {
        return ZoomPlot::step(columns, rows, modifiers);
    }
    if (m_result != nullptr && m_result->size() > 0) {
        const auto moved = [&](std::size_t at, int by) {
            const auto last = static_cast<std::ptrdiff_t>(m_result->size()) - 1;
            return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + by, 0, last));
        };
        pick(moved(m_row, rows), moved(m_column, columns));
    }
    return true;
}

void SimilarityMap::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    ZoomPlot::mousePressEvent(event);
}

void SimilarityMap::mouseReleaseEvent(QMouseEvent* event) {
    const bool clicked = event->button() == Qt::LeftButton &&
                         (event->pos() - m_pressed).manhattanLength() < QApplication::startDragDistance();
    const auto at = clicked ? pairAt(event->position()) : std::nullopt;
    ZoomPlot::mouseReleaseEvent(event);
    if (at) {
        pick(at->first, at->second);
    }
}

void SimilarityMap::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    QString text;
    if (const auto at = pairAt(event->position())) {
        const float cosine = m_result->cosine(at->first, at->second);
        const auto name = [this](std::size_t line) {
            return tr("%1 “%2”").arg(formatCount(m_result->lines->numbers[line]),
                                     excerpt(m_result->lines->texts[line], kHoverTextBytes));
        };
        text = tr("Cosine %1: line %2 and line %3")
                   .arg(std::isnan(cosine) ? QString(QChar(0x2013)) : formatReal(static_cast<double>(cosine)),
                        name(at->first), name(at->second));
    }
    emit hovered(text);
}

void SimilarityMap::leaveEvent(QEvent* event) {
    ZoomPlot::leaveEvent(event);
    emit hovered({});
}

} // namespace gufo::ui

#include "moc_similarity_map.cpp"
