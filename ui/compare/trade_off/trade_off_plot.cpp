#include "ui/compare/trade_off/trade_off_plot.h"

#include "ui/messages/figure_text.h"
#include "ui/plots/label_layout.h"
#include "ui/theme/series_paint.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kPointRadius = 5.5;
constexpr double kNear = 12;

struct UnitRow {
    double bytes;
    const char* name;
};
constexpr std::array<UnitRow, 4> kUnits{
    {{1, "bytes"}, {1024, "KiB"}, {1024.0 * 1024, "MiB"}, {1024.0 * 1024 * 1024, "GiB"}}};

// A point that is not on the frontier is pale.
void paintPoint(QPainter& painter, QPointF at, double size, int series, bool frontier) {
    constexpr double kPale = 0.45;
    painter.save();
    painter.setOpacity(frontier ? 1 : kPale);
    paintSeriesMark(painter, at, size, series);
    painter.restore();
}

const UnitRow& unitFor(double bytes) {
    const UnitRow* unit = &kUnits[0];
    for (const UnitRow& one : kUnits) {
        if (bytes >= one.bytes) {
            unit = &one;
        }
    }
    return *unit;
}

constexpr double kNothingGap = 10;    // from nothing to the smallest value on a logarithmic axis
constexpr double kOnlyNothing = 1e-6; // the place of nothing if there is no other value

// Sizes in bytes on a logarithmic axis, with ticks at round numbers of the unit that suits the largest size.
class ByteTicker : public QCPAxisTicker {
public:
    void setUnit(double bytes) { m_unit = bytes; }

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        const double low = range.lower / m_unit;
        const double high = range.upper / m_unit;
        QVector<double> ticks;
        if (high / low > 12) {
            for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10) {
                for (const double factor : {1.0, 2.0, 5.0}) {
                    ticks << factor * decade * m_unit;
                }
            }
        } else {
            const double rough = (high - low) / 7;
            const double power = std::pow(10, std::floor(std::log10(rough)));
            double step = power;
            for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
                step = factor * power;
                if (step >= rough) {
                    break;
                }
            }
            for (double at = std::ceil(low / step) * step; at <= high; at += step) {
                ticks << at * m_unit;
            }
        }
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return formatReal(tick / m_unit, 4); }
    int getSubTickCount(double) override { return 0; }

private:
    double m_unit = 1;
};

// A logarithmic axis on which nothing, such as the divergence of a file that predicts the same, has a place of its own.
class NothingTicker : public DecadeTicker {
public:
    explicit NothingTicker(double nothing) // 0: there is no such file
        : m_nothing(nothing) {}

protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override {
        QVector<double> ticks = QCPAxisTickerLog::createTickVector(step, range);
        if (m_nothing > 0) {
            ticks.removeIf([this](double tick) { return tick < m_nothing * kNothingGap / 2; });
            ticks.prepend(m_nothing);
        }
        return ticks;
    }
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar format,
                                       int precision) override {
        const bool hasNothing = m_nothing > 0 && !ticks.isEmpty() && ticks.first() == m_nothing;
        QVector<QString> labels =
            DecadeTicker::createLabelVector(hasNothing ? ticks.mid(1) : ticks, locale, format, precision);
        if (hasNothing) {
            labels.prepend(QStringLiteral("0"));
        }
        return labels;
    }

private:
    double m_nothing;
};

} // namespace

// The marks, labels and frontier, drawn over the axes.
class TradeOffMarks : public QCPAbstractItem {
public:
    explicit TradeOffMarks(TradeOffPlot& plot)
        : QCPAbstractItem(&plot)
        , m_plot(plot) {
        setClipToAxisRect(true);
    }
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override {
        painter->setAntialiasing(true);
        if (m_plot.isFrontierShown()) {
            QColor line = themeColor(Token::Accent);
            line.setAlphaF(0.6F);
            painter->setPen(QPen(line, 1.3));
            for (const QLineF& step : m_plot.frontierLines()) {
                painter->drawLine(step);
            }
        }
        const std::vector<QRectF> labels = m_plot.labelRects();
        for (std::size_t i = 0; i < m_plot.points().size(); ++i) {
            const TradeOffPoint& point = m_plot.points()[i];
            if (TradeOffPlot::isShown(point)) {
                drawPoint(*painter, point, labels[i]);
            }
        }
    }

private:
    void drawPoint(QCPPainter& painter, const TradeOffPoint& point, const QRectF& label) const {
        const QPointF at = m_plot.pixelOf(point);
        const bool chosen = m_plot.chosen() == point.file;
        // A line connects a point with a distant label.
        const QPointF nearest(std::clamp(at.x(), label.left(), label.right()),
                              std::clamp(at.y(), label.top(), label.bottom()));
        if (QLineF(at, nearest).length() > 3 * kPointRadius) {
            painter.setPen(QPen(themeColor(Token::StrongLine), 1));
            painter.drawLine(at, nearest);
        }
        if (chosen) {
            painter.setPen(QPen(themeColor(Token::Accent), 1.6));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, kPointRadius + 4, kPointRadius + 4);
        }
        paintPoint(painter, at, 2 * kPointRadius, point.series, point.frontier);
        QFont font = themeFont(TextStyle::Table);
        font.setBold(chosen);
        painter.setFont(font);
        painter.setPen(themeColor(point.frontier ? Token::Text : Token::Muted));
        painter.drawText(label, Qt::AlignCenter | Qt::TextDontClip, point.label);
    }

    TradeOffPlot& m_plot;
};

TradeOffPlot::TradeOffPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Size against quality"));
    setMinimumSize(260, 200);
    axisRect()->setMinimumMargins({8, 12, 16, 4});
    m_marks = new TradeOffMarks(*this);
    restyle();
}

void TradeOffPlot::restyle() {
    stylePlot(*this);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        styleAxisLabel(*axis, 6);
    }
    replot(rpQueuedReplot);
}

void TradeOffPlot::setPoints(std::vector<TradeOffPoint> points, Metric metric, SizeMeasure size,
                             const QString& reference) {
    m_points = std::move(points);
    m_metric = metric;
    m_size = size;
    const QString unit = metricUnit(metricFact(metric));
    yAxis->setLabel(tr("%1 against %2").arg(metricTitle(metricFact(metric)), reference) +
                    (unit.isEmpty() ? QString() : QStringLiteral(", ") + unit));
    const bool logarithmic = metricFact(metric).logarithmic;
    yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_nothing = 0;
    if (logarithmic) {
        double smallest = 0; // above 0
        bool any = false;
        for (const TradeOffPoint& point : m_points) {
            const double quality = isShown(point) ? point.quality.value_or(0) : 0;
            any = any || (isShown(point) && quality <= 0);
            smallest = quality > 0 && (smallest <= 0 || quality < smallest) ? quality : smallest;
        }
        if (any) {
            m_nothing = smallest > 0 ? smallest / kNothingGap : kOnlyNothing;
        }
        yAxis->setTicker(QSharedPointer<NothingTicker>::create(m_nothing));
    } else {
        yAxis->setTicker(QSharedPointer<ValueTicker>::create());
    }
    xAxis->setScaleType(size == SizeMeasure::Bytes ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (size == SizeMeasure::Bytes) {
        double largest = 0;
        for (const TradeOffPoint& point : m_points) {
            largest = std::max(largest, isShown(point) ? point.size : 0);
        }
        const UnitRow& byteUnit = unitFor(largest);
        auto ticker = QSharedPointer<ByteTicker>::create();
        ticker->setUnit(byteUnit.bytes);
        xAxis->setTicker(ticker);
        xAxis->setLabel(tr("Size, %1").arg(QCoreApplication::translate("gufo::Format", byteUnit.name)));
    } else {
        xAxis->setTicker(QSharedPointer<ValueTicker>::create());
        xAxis->setLabel(tr("Bits per weight"));
    }
    showAll();
}

void TradeOffPlot::showAll() {
    QCPRange sizes(1, 2);
    QCPRange qualities(0, 1);
    bool any = false;
    for (const TradeOffPoint& point : m_points) {
        if (isShown(point)) {
            const QCPRange x(point.size, point.size);
            const QCPRange y(heightOf(point), heightOf(point));
            sizes = any ? sizes.expanded(x) : x;
            qualities = any ? qualities.expanded(y) : y;
            any = true;
        }
    }
    const auto widen = [](QCPRange range, bool logarithmic) {
        if (logarithmic) {
            const double by = std::max(std::pow(range.upper / range.lower, 0.16), 1.15);
            return QCPRange(range.lower / by, range.upper * by);
        }
        const double by = std::max(range.size() * 0.14, std::abs(range.upper) * 0.03 + 1e-9);
        return QCPRange(range.lower - by, range.upper + by);
    };
    xAxis->setTickLabels(any);
    yAxis->setTickLabels(any);
    if (any) {
        xAxis->setRange(widen(sizes, xAxis->scaleType() == QCPAxis::stLogarithmic));
        yAxis->setRange(widen(qualities, yAxis->scaleType() == QCPAxis::stLogarithmic));
        if (!metricFact(m_metric).higherIsCloser) {
            yAxis->setRangeReversed(true); // closer is up for every metric
        } else {
            yAxis->setRangeReversed(false);
        }
    }
    replot(rpQueuedReplot);
}

void TradeOffPlot::setFrontierShown(bool shown) {
    m_frontierShown = shown;
    replot(rpQueuedReplot);
}

void TradeOffPlot::setChosen(std::optional<std::size_t> file) {
    m_chosen = file;
    for (const TradeOffPoint& point : m_points) {
        if (file == point.file) {
            setAccessibleDescription(describe(point));
        }
    }
    replot(rpQueuedReplot);
}

std::vector<PictureKey> TradeOffPlot::keys() const {
    constexpr double kSample = 9;
    std::vector<PictureKey> keys;
    keys.push_back({tr("efficient frontier"), [](QPainter& painter, const QRectF& rect) {
                        painter.setRenderHint(QPainter::Antialiasing);
                        painter.setPen(QPen(themeColor(Token::Accent), 1.4));
                        const double y = rect.center().y();
                        painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
                    }});
    const auto worse =
        std::ranges::find_if(m_points, [](const TradeOffPoint& point) { return isShown(point) && !point.frontier; });
    if (worse != m_points.end()) {
        keys.push_back({tr("not on it"), [series = worse->series](QPainter& painter, const QRectF& rect) {
                            paintPoint(painter, rect.center(), kSample, series, false);
                        }});
    }
    return keys;
}

QPointF TradeOffPlot::pixelOf(const TradeOffPoint& point) const {
    return {xAxis->coordToPixel(point.size), yAxis->coordToPixel(heightOf(point))};
}

double TradeOffPlot::heightOf(const TradeOffPoint& point) const {
    const double quality = point.quality.value_or(0);
    return m_nothing > 0 ? std::max(quality, m_nothing) : quality;
}

std::vector<QLineF> TradeOffPlot::frontierLines() const {
    std::vector<QPointF> corners;
    for (const TradeOffPoint& point : m_points) {
        if (point.frontier && isShown(point)) {
            corners.push_back(pixelOf(point));
        }
    }
    std::ranges::sort(corners, {}, [](const QPointF& point) { return point.x(); });
    std::vector<QLineF> lines;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const QPointF end(i + 1 < corners.size() ? corners[i + 1].x() : axisRect()->right(), corners[i].y());
        lines.emplace_back(corners[i], end);
        if (i + 1 < corners.size()) {
            lines.emplace_back(end, corners[i + 1]);
        }
    }
    return lines;
}

std::vector<QRectF> TradeOffPlot::labelRects() const {
    // Labels on the frontier are placed first.
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (isShown(m_points[i])) {
            order.push_back(i);
        }
    }
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return m_points[i].frontier ? 0 : 1; });
    QFont font = themeFont(TextStyle::Table);
    font.setBold(true); // the widest form of the label
    const QFontMetricsF metrics(font);
    std::vector<LabelledPoint> wanted;
    for (const std::size_t i : order) {
        wanted.push_back({.at = pixelOf(m_points[i]),
                          .size = {metrics.horizontalAdvance(m_points[i].label) + 2, metrics.height()},
                          .radius = kPointRadius});
    }
    const auto lines = m_frontierShown ? frontierLines() : std::vector<QLineF>{};
    const std::vector<QRectF> placed = layOutLabels(wanted, lines, QRectF(axisRect()->rect()));
    std::vector<QRectF> rects(m_points.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        rects[order[k]] = placed[k];
    }
    return rects;
}

const TradeOffPoint* TradeOffPlot::pointAt(QPointF pixel) const {
    const TradeOffPoint* nearest = nullptr;
    double distance = kNear;
    for (const TradeOffPoint& point : m_points) {
        const double away = isShown(point) ? QLineF(pixelOf(point), pixel).length() : kNear;
        if (away < distance) {
            distance = away;
            nearest = &point;
        }
    }
    return nearest;
}

QString TradeOffPlot::describe(const TradeOffPoint& point) const {
    QStringList lines{point.label, formatBytes(point.bytes)};
    if (point.bits) {
        lines << tr("%1 bits/weight").arg(formatBitsPerWeight(*point.bits));
    }
    if (point.quality) {
        const MetricFact& info = metricFact(m_metric);
        lines << QStringLiteral("%1 %2").arg(metricTitle(info), metricTextWithUnit(info, *point.quality));
    }
    lines << point.leftOut;
    lines << (point.frontier ? tr("on the efficient frontier")
              : point.better ? tr("%1 is better").arg(m_points[*point.better].label)
                             : QString());
    return lines.join(u'\n').trimmed();
}

void TradeOffPlot::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->pos();
    QCustomPlot::mousePressEvent(event);
}

void TradeOffPlot::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton && (event->pos() - m_pressed).manhattanLength() < 4) {
        if (const TradeOffPoint* point = pointAt(event->position())) {
            setChosen(point->file);
            emit pointChosen(point->file);
        }
    }
}

void TradeOffPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const TradeOffPoint* point = pointAt(event->position());
    setCursor(point != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point != nullptr) {
        QToolTip::showText(event->globalPosition().toPoint(), describe(*point), this);
    } else {
        QToolTip::hideText();
    }
}

// ← and → move along the points by size.
bool TradeOffPlot::step(int columns, int /*rows*/, Qt::KeyboardModifiers /*modifiers*/) {
    std::vector<const TradeOffPoint*> shown;
    for (const TradeOffPoint& point : m_points) {
        if (isShown(point)) {
            shown.push_back(&point);
        }
    }
    if (columns == 0 || shown.empty()) {
        return false;
    }
    std::ranges::sort(shown, {}, [](const TradeOffPoint* point) { return point->size; });
    const auto at = std::ranges::find_if(shown, [this](const TradeOffPoint* one) { return m_chosen == one->file; });
    auto index = at == shown.end() ? 0 : at - shown.begin() + columns;
    index = std::clamp<std::ptrdiff_t>(index, 0, static_cast<std::ptrdiff_t>(shown.size()) - 1);
    setChosen(shown[static_cast<std::size_t>(index)]->file);
    emit pointChosen(*m_chosen);
    return true;
}

} // namespace gufo::ui

#include "moc_trade_off_plot.cpp"
