#include "ui/compare/drill_down/density_plot.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/table_text.h"

#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kDensityBins = 180;
constexpr int kDensitySettleMs = 120;
constexpr double kSmallestDensity = 1e-7;
constexpr int kScaleWidth = 12;

} // namespace

DensityPlot::DensityPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal | Qt::Vertical, parent) {
    setAccessibleName(tr("Weights of a file against those of the reference"));
    setMinimumSize(200, 160);
    axisRect()->setAutoMargins(QCP::msBottom | QCP::msLeft);
    axisRect()->setMargins({0, 8, 4, 0});
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTicker(QSharedPointer<ValueTicker>::create());
        axis->ticker()->setTickCount(5);
        connect(axis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &DensityPlot::axisChanged);
    }
    m_map = new QCPColorMap(xAxis, yAxis);
    m_map->setInterpolate(false);
    m_map->setAntialiased(false);
    m_map->setDataScaleType(QCPAxis::stLogarithmic);
    m_scale = new QCPColorScale(this);
    plotLayout()->addElement(0, 1, m_scale);
    plotLayout()->setColumnSpacing(16);
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(kScaleWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    m_scale->setDataScaleType(QCPAxis::stLogarithmic);
    m_scale->axis()->setTicker(QSharedPointer<CountLogTicker>::create());
    m_scale->setMinimumMargins({0, 8, 0, 8});
    m_map->setColorScale(m_scale);
    auto* group = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msBottom, group);
    m_scale->setMarginGroup(QCP::msBottom, group);
    m_diagonal = new QCPItemStraightLine(this);
    m_diagonal->point1->setCoords(0, 0);
    m_diagonal->point2->setCoords(1, 1);
    m_settled.setSingleShot(true);
    m_settled.setInterval(kDensitySettleMs);
    connect(&m_settled, &QTimer::timeout, this, [this] {
        emit recountWanted(std::min(xAxis->range().lower, yAxis->range().lower),
                           std::max(xAxis->range().upper, yAxis->range().upper));
    });
    restyle();
    clear();
}

void DensityPlot::restyle() {
    stylePlot(*this);
    styleAxis(*m_scale->axis());
    m_scale->axis()->setBasePen(Qt::NoPen);
    m_scale->axis()->grid()->setVisible(false);
    for (QCPAxis* axis : {xAxis, yAxis, m_scale->axis()}) {
        styleAxisLabel(*axis, 4);
    }
    m_diagonal->setPen(QPen(themeColor(Token::Muted), 1, Qt::DashLine));
    QCPColorGradient gradient = colorGradient(m_colorMap);
    m_map->setGradient(gradient);
    replot(rpQueuedReplot);
}

void DensityPlot::setNames(const QString& reference, const QString& other) {
    m_reference = reference;
    m_other = other;
    xAxis->setLabel(tr("weight in %1").arg(reference));
    yAxis->setLabel(tr("weight in %1").arg(other));
    m_scale->axis()->setLabel(tr("weights per cell"));
    replot(rpQueuedReplot);
}

void DensityPlot::setColorMap(ColorMap map) {
    m_colorMap = map;
    restyle();
}

void DensityPlot::setBoth(QCPRange range) {
    m_settingRange = true;
    xAxis->setRange(range);
    yAxis->setRange(range);
    m_settingRange = false;
}

void DensityPlot::setContent(PairDensity density) {
    m_density = std::move(density);
    m_settled.stop();
    if (m_density.bins > 0) {
        m_lo = m_density.lo;
        m_hi = m_density.hi;
    }
    setBoth({m_lo, m_hi});
    redraw();
}

void DensityPlot::setRecount(PairDensity density) {
    m_density = std::move(density);
    redraw();
}

void DensityPlot::clear() {
    m_density = {};
    m_settled.stop();
    redraw();
}

void DensityPlot::showAll() {
    setBoth({m_lo, m_hi});
    m_settled.start();
    replot(rpQueuedReplot);
}

void DensityPlot::axisChanged(const QCPRange& range) {
    if (m_settingRange || m_density.bins == 0) {
        return;
    }
    auto* axis = qobject_cast<QCPAxis*>(sender());
    const double whole = m_hi - m_lo;
    const double size = std::clamp(range.size(), whole * kSmallestDensity, whole);
    const double lower = std::clamp(range.center() - size / 2, m_lo, m_hi - size);
    m_settingRange = true;
    axis->setRange(lower, lower + size);
    m_settingRange = false;
    m_settled.start();
}

void DensityPlot::redraw() {
    const bool any = m_density.bins > 0;
    m_map->setVisible(any);
    m_scale->setVisible(any);
    m_diagonal->setVisible(any);
    xAxis->setTickLabels(any);
    yAxis->setTickLabels(any);
    if (any) {
        placeColours();
    }
    replot(rpQueuedReplot);
}

void DensityPlot::placeColours() {
    const int bins = static_cast<int>(m_density.bins);
    const double half = (m_density.hi - m_density.lo) / bins / 2;
    const QCPRange centres(m_density.lo + half, m_density.hi - half);
    auto* colours = new QCPColorMapData(bins, bins, centres, centres);
    double maximum = 2;
    for (int b = 0; b < bins; ++b) {
        for (int a = 0; a < bins; ++a) {
            const auto count = static_cast<double>(
                m_density.counts[static_cast<std::size_t>(b) * m_density.bins + static_cast<std::size_t>(a)]);
            colours->setCell(a, b, count > 0 ? count : std::nan(""));
            maximum = std::max(maximum, count);
        }
    }
    m_map->setData(colours);
    m_map->setDataRange({1, maximum});
}

QStringList DensityPlot::header() const { return {m_reference, m_other, tr("Weights")}; }

QList<QStringList> DensityPlot::rows() const {
    QList<QStringList> rows;
    for (std::size_t b = 0; b < m_density.bins; ++b) {
        for (std::size_t a = 0; a < m_density.bins; ++a) {
            if (const std::uint64_t count = m_density.counts[b * m_density.bins + a]; count > 0) {
                rows << QStringList{exactText((m_density.edge(a) + m_density.edge(a + 1)) / 2),
                                    exactText((m_density.edge(b) + m_density.edge(b + 1)) / 2), QString::number(count)};
            }
        }
    }
    return rows;
}

void DensityPlot::mouseMoveEvent(QMouseEvent* event) {
    QCustomPlot::mouseMoveEvent(event);
    if (m_density.bins == 0 || !axisRect()->rect().contains(event->pos())) {
        QToolTip::hideText();
        return;
    }
    const auto binAt = [this](double value) {
        return (value - m_density.lo) / (m_density.hi - m_density.lo) * static_cast<double>(m_density.bins);
    };
    const double a = binAt(xAxis->pixelToCoord(event->position().x()));
    const double b = binAt(yAxis->pixelToCoord(event->position().y()));
    const auto bins = static_cast<double>(m_density.bins);
    if (a < 0 || b < 0 || a >= bins || b >= bins) {
        QToolTip::hideText();
        return;
    }
    const auto column = static_cast<std::size_t>(a);
    const auto row = static_cast<std::size_t>(b);
    QToolTip::showText(
        event->globalPosition().toPoint(),
        tr("%1: %2 to %3\n%4: %5 to %6\n%7 weights", nullptr, numerus(m_density.counts[row * m_density.bins + column]))
            .arg(m_reference, formatReal(m_density.edge(column)), formatReal(m_density.edge(column + 1)), m_other,
                 formatReal(m_density.edge(row)), formatReal(m_density.edge(row + 1)),
                 formatCount(m_density.counts[row * m_density.bins + column])),
        this);
}

// ---- the plot of a pair

PairScatter::PairScatter(Comparison& comparison, QWidget* parent)
    : QWidget(parent)
    , m_comparison(comparison)
    , m_plot(new DensityPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusProxy(m_plot);
    connect(m_plot, &DensityPlot::recountWanted, this, [this](double lo, double hi) {
        if (m_plot->content().bins != 0) {
            count({{lo, hi}});
        }
    });
}

void PairScatter::clear() {
    cancel();
    m_plot->clear();
}

void PairScatter::setPair(MatchedRow row, std::size_t file) {
    m_row = std::move(row);
    m_file = file;
    m_plot->setNames(m_comparison.files()[m_comparison.reference()].label, m_comparison.files()[file].label);
    count({});
}

void PairScatter::count(const std::optional<std::array<double, 2>>& range) {
    m_job.start<PairDensity>(
        [row = m_row, file = m_file, range](const JobContext& context) {
            return pairDensity(row.reference(), row.of(file), {.bins = kDensityBins, .range = range}, context);
        },
        [this, again = range.has_value()](Result<PairDensity> density) {
            if (density && again) {
                m_plot->setRecount(std::move(*density));
            } else if (density) {
                m_plot->setContent(std::move(*density));
            } else if (!again) {
                emit failed(density.error());
            }
        });
    emit started(m_job.job(), tr("Counting pairs"));
}

} // namespace gufo::ui

#include "moc_density_plot.cpp"
