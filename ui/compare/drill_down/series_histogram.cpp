#include "ui/compare/drill_down/series_histogram.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/series_paint.h"
#include "ui/widgets/table_text.h"

#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kSettleMs = 120;
constexpr double kLogFloor = 0.5;   // so that a bin of one weight is visible
constexpr double kEmptyOnLog = 0.4; // and an empty bin is below it
constexpr int kLeftMargin = 40;
constexpr double kSmallestShare = 1e-9; // of the whole range; limits the zoom
constexpr int kTickPixels = 75;

} // namespace

SeriesHistogram::SeriesHistogram(QWidget* parent)
    : ZoomPlot(Qt::Horizontal, parent) {
    setMinimumSize(140, 84);
    setPlottingHint(QCP::phFastPolylines, false);
    axisRect()->setAutoMargins(QCP::msBottom);
    axisRect()->setMargins({kLeftMargin, 8, 10, 0});
    xAxis->grid()->setVisible(false);
    xAxis->setTicker(QSharedPointer<ValueTicker>::create());
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<CountLogTicker>::create());
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettleMs);
    connect(&m_settled, &QTimer::timeout, this,
            [this] { emit recountWanted(xAxis->range().lower, xAxis->range().upper); });
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &SeriesHistogram::rangeChanged);
    restyle();
    clear();
}

void SeriesHistogram::restyle() {
    stylePlot(*this);
    redraw();
}

void SeriesHistogram::setContent(std::vector<Series> series) {
    m_series = std::move(series);
    m_settled.stop();
    if (!m_series.empty()) {
        m_lo = m_series.front().histogram.lo;
        m_hi = m_series.front().histogram.hi;
    }
    m_settingRange = true;
    xAxis->setRange(m_lo, m_hi);
    m_settingRange = false;
    redraw();
}

void SeriesHistogram::setRecount(std::vector<Histogram> histograms) {
    for (std::size_t i = 0; i < std::min(histograms.size(), m_series.size()); ++i) {
        m_series[i].histogram = std::move(histograms[i]);
    }
    redraw();
}

void SeriesHistogram::clear() { setContent({}); }

void SeriesHistogram::showAll() { xAxis->setRange(m_lo, m_hi); }

void SeriesHistogram::rangeChanged(const QCPRange& range) {
    if (m_settingRange || m_series.empty()) {
        return;
    }
    const double whole = m_hi - m_lo;
    const double size = std::clamp(range.size(), whole * kSmallestShare, whole);
    const double lower = std::clamp(range.center() - size / 2, m_lo, m_hi - size);
    m_settingRange = true;
    xAxis->setRange(lower, size == whole ? m_hi : lower + size);
    m_settingRange = false;
    m_settled.start();
    replot(rpQueuedReplot);
}

void SeriesHistogram::redraw() {
    clearGraphs();
    double maximum = 1;
    for (const Series& series : m_series) {
        const Histogram& histogram = series.histogram;
        QVector<QCPGraphData> points;
        points.reserve(static_cast<qsizetype>(histogram.counts.size()) + 3);
        points.append({histogram.lo, kEmptyOnLog});
        for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
            const auto count = static_cast<double>(histogram.counts[i]);
            points.append({histogram.edge(i), std::max(count, kEmptyOnLog)});
            maximum = std::max(maximum, count);
        }
        points.append({histogram.hi, points.back().value});
        points.append({histogram.hi, kEmptyOnLog});
        QCPGraph* graph = addGraph();
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setAdaptiveSampling(false);
        // The outline of a histogram has only horizontal and vertical lines. Qt draws them, and the area below, many
        // times faster when they are one pixel wide and not antialiased.
        const QPen pen = seriesPen(series.series, 1);
        graph->setPen(pen);
        graph->setAntialiased(false);
        graph->setAntialiasedFill(false);
        QColor fill = series.series < 0 ? themeColor(Token::Unquantised) : pen.color();
        fill.setAlphaF(series.series < 0 ? 0.5F : 0.16F);
        graph->setBrush(fill);
        graph->data()->set(points, true);
    }
    xAxis->setTickLabels(!m_series.empty());
    yAxis->setTickLabels(!m_series.empty());
    yAxis->setRange(kLogFloor, maximum * std::pow(maximum / kLogFloor, 0.08));
    replot(rpQueuedReplot);
}

QStringList SeriesHistogram::header() const {
    QStringList header{tr("From"), tr("To")};
    for (const Series& series : m_series) {
        header << series.label;
    }
    return header;
}

QList<QStringList> SeriesHistogram::rows() const {
    QList<QStringList> rows;
    const std::size_t bins = m_series.empty() ? 0 : m_series.front().histogram.counts.size();
    for (std::size_t i = 0; i < bins; ++i) {
        const Histogram& first = m_series.front().histogram;
        QStringList row{exactText(first.edge(i)), exactText(first.edge(i + 1))};
        for (const Series& series : m_series) {
            row << QString::number(i < series.histogram.counts.size() ? series.histogram.counts[i] : 0);
        }
        rows << row;
    }
    return rows;
}

QString SeriesHistogram::binText(std::size_t bin) const {
    const Histogram& first = m_series.front().histogram;
    QStringList lines{tr("%1 to %2").arg(formatReal(first.edge(bin)), formatReal(first.edge(bin + 1)))};
    for (const Series& series : m_series) {
        if (bin < series.histogram.counts.size()) {
            lines << QStringLiteral("%1: %2").arg(series.label, formatCount(series.histogram.counts[bin]));
        }
    }
    return lines.join(u'\n');
}

void SeriesHistogram::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const Histogram* histogram = m_series.empty() ? nullptr : &m_series.front().histogram;
    if (histogram == nullptr || histogram->counts.empty() || !axisRect()->rect().contains(event->pos())) {
        QToolTip::hideText();
        return;
    }
    const double at = (xAxis->pixelToCoord(event->position().x()) - histogram->lo) / (histogram->hi - histogram->lo) *
                      static_cast<double>(histogram->counts.size());
    if (at >= 0 && at < static_cast<double>(histogram->counts.size())) {
        QToolTip::showText(event->globalPosition().toPoint(), binText(static_cast<std::size_t>(at)), this);
    }
}

void SeriesHistogram::resizeEvent(QResizeEvent* event) {
    xAxis->ticker()->setTickCount(std::clamp(width() / kTickPixels, 2, 5)); // keeps the labels apart
    QCustomPlot::resizeEvent(event);
}

} // namespace gufo::ui

#include "moc_series_histogram.cpp"
