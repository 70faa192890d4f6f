#include "ui/pages/inside/sizes_plot.h"

#include "ui/messages/figure_text.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::ui {
namespace {

constexpr double kMarkSize = 4;
constexpr double kRoom = 1.5; // factor above and below the values

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

SizesPlot::SizesPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Sizes of the stream and of what is added to it, by block"));
    setMinimumSize(200, 120);
    axisRect()->setAutoMargins(QCP::msBottom | QCP::msLeft);
    axisRect()->setMargins({0, 8, 8, 0});
    xAxis->setTicker(QSharedPointer<IndexTicker>::create());
    xAxis->setLabel(tr("Block"));
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<SizeTicker>::create());
    yAxis->setLabel(tr("Norm"));
    for (QCPGraph*& line : m_lines) {
        line = addGraph();
        line->setSelectable(QCP::stNone);
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
        const QColor color = seriesColor(static_cast<int>(i));
        m_lines[i]->setPen(QPen(color, 1.6));
        m_lines[i]->setScatterStyle({QCPScatterStyle::ssDisc, color, kMarkSize});
    }
    replot(rpQueuedReplot);
}

void SizesPlot::setSizes(const inference::StreamSizes& sizes, std::size_t token) {
    m_blocks = sizes.blocks;
    for (const auto& [line, values] : {std::pair(m_lines[0], &sizes.stream), std::pair(m_lines[1], &sizes.mixer),
                                       std::pair(m_lines[2], &sizes.feedForward)}) {
        QVector<double> x;
        QVector<double> y;
        for (std::size_t block = 0; block < sizes.blocks; ++block) {
            const float value = (*values)[block * sizes.tokens + token];
            x << static_cast<double>(block);
            // A block without a half, or NaN, is a gap of the line.
            y << (value > 0 ? static_cast<double>(value) : std::numeric_limits<double>::quiet_NaN());
        }
        line->setData(x, y, true);
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
    yAxis->setRange(largest > 0 ? smallest / kRoom : 0.1, largest > 0 ? largest * kRoom : 10);
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
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const double value = m_lines[i]->data()->at(static_cast<int>(block))->value;
        if (!std::isnan(value)) {
            parts << tr("%1 %2").arg(names()[static_cast<qsizetype>(i)], formatReal(value));
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
