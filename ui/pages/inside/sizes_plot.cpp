#include "ui/pages/inside/sizes_plot.h"

#include "ui/messages/figure_text.h"

#include <QMouseEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

constexpr double kMarkSize = 4;
constexpr int kRatiosWidth = 140;
constexpr double kRoom = 1.5;       // factor above and below the values
constexpr double kRatioRoom = 0.08; // of the range of ratios, above and below
constexpr double kLeastRatioRoom = 1e-3;

// Sizes on a logarithmic axis: 1, 2, 5, 10, 20 …, or powers of ten if it spans many decades.
class SizeTicker : public QCPAxisTickerLog {
protected:
    QVector<double> createTickVector(double /*step*/, const QCPRange& range) override {
        constexpr double kFewDecades = 2.5;
        const int first = static_cast<int>(std::floor(std::log10(range.lower)));
        const int last = static_cast<int>(std::floor(std::log10(range.upper)));
        const bool few = std::log10(range.upper / range.lower) < kFewDecades;
        QVector<double> ticks;
        for (int decade = first; decade <= last; ++decade) {
            const double power = std::pow(10, decade);
            ticks << power;
            if (few) {
                ticks << 2 * power << 5 * power;
            }
        }
        return ticks;
    }
    int getSubTickCount(double /*step*/) override { return 0; }
    QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
        return formatReal(tick, 3);
    }
};

} // namespace

SizesPlot::SizesPlot(Shows shows, QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent)
    , m_shows(shows) {
    const bool norms = shows == Shows::Norms;
    setAccessibleName(norms ? tr("Sizes of the stream and of what is added to it, by block")
                            : tr("Sizes of B divided by those of A, by block"));
    setMinimumSize(norms ? 200 : kRatiosWidth, 120);
    axisRect()->setAutoMargins(QCP::msBottom | QCP::msLeft);
    axisRect()->setMargins({0, 8, 8, 0});
    xAxis->setTicker(QSharedPointer<IndexTicker>::create());
    xAxis->setLabel(tr("Block"));
    if (norms) {
        yAxis->setScaleType(QCPAxis::stLogarithmic);
        yAxis->setTicker(QSharedPointer<SizeTicker>::create());
        yAxis->setLabel(tr("Norm"));
    } else {
        yAxis->setTicker(QSharedPointer<ValueTicker>::create());
        yAxis->setLabel(tr("Ratio B / A"));
    }
    const qsizetype lines = names().size() * (norms ? 2 : 1);
    for (qsizetype i = 0; i < lines; ++i) {
        m_lines.push_back(addGraph());
        m_lines.back()->setSelectable(QCP::stNone);
    }
    restyle();
}

QStringList SizesPlot::names() { return {tr("stream"), tr("attention or state"), tr("feed-forward")}; }

void SizesPlot::restyle() {
    stylePlot(*this);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        styleAxisLabel(*axis, 4);
    }
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const auto names = static_cast<std::size_t>(SizesPlot::names().size());
        const QColor color = seriesColor(static_cast<int>(i % names));
        m_lines[i]->setPen(QPen(color, 1.6, i < names ? Qt::SolidLine : Qt::DashLine));
        m_lines[i]->setScatterStyle(
            {i < names ? QCPScatterStyle::ssDisc : QCPScatterStyle::ssCircle, color, kMarkSize});
    }
    replot(rpQueuedReplot);
}

void SizesPlot::setSizes(const inference::StreamSizes& a, std::size_t token, const inference::StreamSizes* b) {
    m_blocks = a.blocks;
    const std::array parts{&inference::StreamSizes::stream, &inference::StreamSizes::mixer,
                           &inference::StreamSizes::feedForward};
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const auto part = parts[i % parts.size()];
        const inference::StreamSizes* of = m_shows == Shows::Ratios || i >= parts.size() ? b : &a;
        QVector<double> x;
        QVector<double> y;
        for (std::size_t block = 0; of != nullptr && block < a.blocks; ++block) {
            const std::size_t at = block * a.tokens + token;
            const float value = m_shows == Shows::Ratios ? (of->*part)[at] / (a.*part)[at] : (of->*part)[at];
            x << static_cast<double>(block);
            // A block without a half, or NaN, is a gap of the line.
            y << (value > 0 && std::isfinite(value) ? static_cast<double>(value)
                                                    : std::numeric_limits<double>::quiet_NaN());
        }
        m_lines[i]->setData(x, y, true);
    }
    showAll();
}

void SizesPlot::showAll() {
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0;
    for (const QCPGraph* line : m_lines) {
        for (const QCPGraphData& point : *line->data()) {
            if (std::isfinite(point.value)) {
                smallest = std::min(smallest, point.value);
                largest = std::max(largest, point.value);
            }
        }
    }
    xAxis->setRange(-0.5, static_cast<double>(std::max<std::size_t>(m_blocks, 1)) - 0.5);
    if (m_shows == Shows::Ratios) { // 1, where nothing differs, is always seen
        const double low = std::min(smallest, 1.0);
        const double high = std::max(largest, 1.0);
        const double room = std::max(kRatioRoom * (high - low), kLeastRatioRoom);
        yAxis->setRange(low - room, high + room);
    } else {
        yAxis->setRange(largest > 0 ? smallest / kRoom : 0.1, largest > 0 ? largest * kRoom : 10);
    }
    replot(rpQueuedReplot);
}

std::vector<PictureKey> SizesPlot::keys() const {
    std::vector<PictureKey> keys;
    for (int i = 0; const QString& name : names()) {
        keys.push_back(seriesKey(name, i++));
    }
    return keys;
}

void SizesPlot::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    const double block = std::round(xAxis->pixelToCoord(event->position().x()));
    if (block < 0 || block >= static_cast<double>(m_blocks)) {
        emit hovered({});
        return;
    }
    QStringList parts{tr("Block %1").arg(formatCount(static_cast<std::uint64_t>(block)))};
    const auto names = static_cast<std::size_t>(SizesPlot::names().size());
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        if (m_lines[i]->dataCount() == 0) {
            continue;
        }
        const double value = m_lines[i]->data()->at(static_cast<int>(block))->value;
        const QString name = SizesPlot::names()[static_cast<qsizetype>(i % names)];
        if (!std::isnan(value)) {
            parts << tr("%1 %2").arg(i < names ? name : tr("%1 of B").arg(name), formatReal(value));
        }
    }
    emit hovered(parts.join(QStringLiteral(", ")));
}

void SizesPlot::leaveEvent(QEvent* event) {
    ZoomPlot::leaveEvent(event);
    emit hovered({});
}

} // namespace gufo::ui

#include "moc_sizes_plot.cpp"
