#include "ui/plots/histogram_plot.h"

#include "ui/messages/figure_text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kHistogramSettleMs = 120;
constexpr double kLogFloor = 0.5;       // so that a bin of one weight is visible
constexpr double kEmptyOnLog = 0.4;     // and an empty bin is below it
constexpr double kSmallestShare = 1e-9; // of the whole range; limits the zoom
constexpr int kCaptionGap = 6;

} // namespace

HistogramPlot::HistogramPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal, parent) {
    setAccessibleName(tr("Histogram"));
    setMinimumHeight(120);
    setPlottingHint(QCP::phFastPolylines, false);
    axisRect()->setAutoMargins(QCP::msBottom);
    axisRect()->setMargins({kPlotLeftMargin, 8, 8, 0});
    xAxis->grid()->setVisible(false);
    xAxis->setTicker(QSharedPointer<ValueTicker>::create());

    m_band = new QCPItemRect(this);
    m_mean = new QCPItemLine(this);
    for (QCPItemPosition* position : {m_band->topLeft, m_band->bottomRight, m_mean->start, m_mean->end}) {
        position->setTypeX(QCPItemPosition::ptPlotCoords);
        position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_band->setLayer(QStringLiteral("background"));
    m_band->setPen(Qt::NoPen);
    m_steps = addGraph();
    m_steps->setLineStyle(QCPGraph::lsStepLeft);
    m_steps->setAdaptiveSampling(false);
    for (QCPItemText** text : {&m_caption, &m_bandCaption}) {
        *text = new QCPItemText(this);
        (*text)->position->setType(QCPItemPosition::ptAxisRectRatio);
        (*text)->setClipToAxisRect(false);
    }
    m_caption->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
    m_caption->position->setCoords(1, 0);
    m_bandCaption->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_bandCaption->position->setTypeX(QCPItemPosition::ptPlotCoords);

    m_settled.setSingleShot(true);
    m_settled.setInterval(kHistogramSettleMs);
    connect(&m_settled, &QTimer::timeout, this,
            [this] { emit recountWanted(xAxis->range().lower, xAxis->range().upper); });
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &HistogramPlot::rangeChanged);
    restyle();
    clear();
}

void HistogramPlot::restyle() {
    stylePlot(*this);
    QColor line = seriesColor(0);
    m_steps->setPen(QPen(line, 1.2));
    line.setAlphaF(0.28F);
    m_steps->setBrush(line);
    m_band->setBrush(themeColor(Token::Selection));
    m_mean->setPen(QPen(themeColor(Token::Text), 1, Qt::DashLine));
    m_caption->setFont(themeFont(TextStyle::Axis));
    m_caption->setColor(themeColor(Token::Muted));
    m_bandCaption->setFont(themeFont(TextStyle::Axis));
    m_bandCaption->setColor(themeColor(Token::Text));
    replot(rpQueuedReplot);
}

void HistogramPlot::setContent(Content content) {
    m_content = std::move(content);
    m_shown = m_content.histogram;
    m_settled.stop();
    showAll();
    redraw();
}

void HistogramPlot::setRecount(Histogram histogram) {
    m_shown = std::move(histogram);
    redraw();
}

void HistogramPlot::clear() {
    m_content = {};
    m_shown = {};
    m_settled.stop();
    redraw();
}

bool HistogramPlot::isZoomed() const {
    const Histogram& all = m_content.histogram;
    return !all.counts.empty() && (xAxis->range().lower != all.lo || xAxis->range().upper != all.hi);
}

std::vector<PictureKey> HistogramPlot::keys() const {
    std::vector<PictureKey> keys{{m_content.things, [](QPainter& painter, const QRectF& rect) {
                                      QColor fill = seriesColor(0);
                                      fill.setAlphaF(0.28F);
                                      painter.fillRect(rect, fill);
                                      painter.setPen(QPen(seriesColor(0), 1.2));
                                      painter.drawLine(rect.topLeft(), rect.topRight());
                                  }}};
    if (m_content.mean && m_content.std) {
        const QString mean = tr("mean %1").arg(formatReal(*m_content.mean));
        keys.push_back({mean, [](QPainter& painter, const QRectF& rect) {
                            painter.setPen(QPen(themeColor(Token::Text), 1, Qt::DashLine));
                            painter.drawLine(QPointF(rect.left(), rect.center().y()),
                                             QPointF(rect.right(), rect.center().y()));
                        }});
        keys.push_back(
            {tr("mean ± σ, σ = %1").arg(formatReal(*m_content.std)),
             [](QPainter& painter, const QRectF& rect) { painter.fillRect(rect, themeColor(Token::Selection)); }});
    }
    return keys;
}

void HistogramPlot::setLogarithmic(bool logarithmic) {
    m_logarithmic = logarithmic;
    redraw();
}

void HistogramPlot::showAll() {
    const Histogram& all = m_content.histogram;
    if (all.counts.empty()) {
        return;
    }
    m_settled.stop();
    m_shown = all;
    m_settingRange = true;
    xAxis->setRange(all.lo, all.hi);
    m_settingRange = false;
    redraw();
}

void HistogramPlot::rangeChanged(const QCPRange& range) {
    const Histogram& all = m_content.histogram;
    if (m_settingRange || all.counts.empty()) {
        return;
    }
    const double whole = all.hi - all.lo;
    const double size = std::clamp(range.size(), whole * (m_content.codes ? 1e-3 : kSmallestShare), whole);
    const double lower = std::clamp(range.center() - size / 2, all.lo, all.hi - size);
    m_settingRange = true;
    xAxis->setRange(lower, size == whole ? all.hi : lower + size);
    m_settingRange = false;
    if (!m_content.codes) {
        m_settled.start();
    }
    redraw();
}

void HistogramPlot::redraw() {
    const bool empty = m_shown.counts.empty();
    for (QCPLayerable* part : std::initializer_list<QCPLayerable*>{m_caption, m_steps}) {
        part->setVisible(!empty);
    }
    const bool moments = !empty && m_content.mean && m_content.std;
    for (QCPLayerable* part : std::initializer_list<QCPLayerable*>{m_band, m_mean, m_bandCaption}) {
        part->setVisible(moments);
    }
    xAxis->setTickLabels(!empty);
    yAxis->setTickLabels(!empty);
    QVector<QCPGraphData> points;
    const double none = m_logarithmic ? kEmptyOnLog : 0;
    double maximum = 1;
    if (!empty) {
        points.append({m_shown.lo, none});
    }
    for (std::size_t i = 0; i < m_shown.counts.size(); ++i) {
        const auto count = static_cast<double>(m_shown.counts[i]);
        points.append({m_shown.edge(i), std::max(count, none)});
        maximum = std::max(maximum, count);
    }
    if (!empty) {
        points.append({m_shown.hi, points.back().value});
        points.append({m_shown.hi, none});
    }
    m_steps->data()->set(points, true);
    yAxis->setScaleType(m_logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (m_logarithmic) {
        yAxis->setTicker(QSharedPointer<CountLogTicker>::create());
    } else {
        yAxis->setTicker(QSharedPointer<CountTicker>::create());
    }
    // The captions have room above the highest bin.
    const double captions = QFontMetrics(themeFont(TextStyle::Axis)).height() + 8;
    const double height = std::max<double>(axisRect()->height(), 2 * captions);
    const double stretch = height / (height - captions); // of the range up to the highest bin
    yAxis->setRange(m_logarithmic ? kLogFloor : 0,
                    m_logarithmic ? kLogFloor * std::pow(maximum / kLogFloor, stretch) : maximum * stretch);
    if (moments) {
        const double mean = *m_content.mean;
        m_band->topLeft->setCoords(mean - *m_content.std, 0);
        m_band->bottomRight->setCoords(mean + *m_content.std, 1);
        m_mean->start->setCoords(mean, 0);
        m_mean->end->setCoords(mean, 1);
    }
    placeCaptions();
    replot(rpQueuedReplot);
    emit shownChanged();
}

QString HistogramPlot::captionText(bool whole) const {
    if (m_shown.counts.empty()) {
        return {};
    }
    if (m_content.codes) {
        return whole ? tr("%1 per code").arg(m_content.things) : tr("per code");
    }
    const QString width = formatReal((m_shown.hi - m_shown.lo) / static_cast<double>(m_shown.counts.size()), 2);
    return whole ? tr("%1 per bin of %2").arg(m_content.things, width) : tr("per bin of %1").arg(width);
}

// Places the band's caption where there is room: at its right, at its left, or nowhere.
void HistogramPlot::placeCaptions() {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    const double middle = xAxis->coordToPixel(m_content.mean.value_or((m_shown.lo + m_shown.hi) / 2));
    const QString caption = captionText(true);
    const bool fits = metrics.horizontalAdvance(caption) < axisRect()->right() - middle - kCaptionGap;
    m_caption->setText(fits ? caption : captionText(false)); // the peak is usually in the middle
    if (!m_content.mean || !m_content.std) {
        return;
    }
    const QString text = tr("mean ± σ");
    const int needed = metrics.horizontalAdvance(text) + 2 * kCaptionGap;
    const double left = xAxis->coordToPixel(*m_content.mean - *m_content.std);
    const double right = xAxis->coordToPixel(*m_content.mean + *m_content.std);
    const double end = axisRect()->right() - metrics.horizontalAdvance(m_caption->text());
    const bool after = right + needed < end && right > axisRect()->left();
    m_bandCaption->setText(text);
    m_bandCaption->setVisible(m_caption->visible() && (after || (left - needed > axisRect()->left() && left < end)));
    m_bandCaption->setPositionAlignment((after ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
    m_bandCaption->setPadding({kCaptionGap, 0, kCaptionGap, 0});
    m_bandCaption->position->setCoords(*m_content.mean + (after ? 1 : -1) * *m_content.std, 0);
}

void HistogramPlot::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    redraw(); // the room of the captions depends on the height
}

QString HistogramPlot::binText(std::size_t bin) const {
    const QString count = tr("%1 %2").arg(formatCount(m_shown.counts[bin]), m_content.things);
    if (m_content.codes) {
        const auto code = std::lround(m_shown.lo + 0.5) + static_cast<long>(bin);
        return tr("code %1").arg(formatReal(static_cast<double>(code), 5)) + QLatin1Char('\n') + count;
    }
    return tr("%1 to %2").arg(formatReal(m_shown.edge(bin), 5), formatReal(m_shown.edge(bin + 1), 5)) +
           QLatin1Char('\n') + count;
}

void HistogramPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    const double value = xAxis->pixelToCoord(event->position().x());
    if (event->buttons() != Qt::NoButton || m_shown.counts.empty() ||
        !axisRect()->rect().contains(event->position().toPoint()) || value < m_shown.lo || value > m_shown.hi) {
        QToolTip::hideText();
        return;
    }
    const double share = (value - m_shown.lo) / (m_shown.hi - m_shown.lo);
    const auto bins = m_shown.counts.size();
    const auto bin = std::min(static_cast<std::size_t>(share * static_cast<double>(bins)), bins - 1);
    QToolTip::showText(event->globalPosition().toPoint(), binText(bin), this);
}

} // namespace gufo::ui

#include "moc_histogram_plot.cpp"
