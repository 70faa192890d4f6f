#include "ui/pages/tensors/spectrum_plot.h"

#include "ui/messages/figure_text.h"
#include "ui/widgets/elided_label.h"

#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kRoom = 1.06;          // above the largest value
constexpr double kSmallestShown = 1e-7; // of the largest on a logarithmic axis; below are rounding errors
constexpr double kMarkSize = 4;

} // namespace

SpectrumPlot::SpectrumPlot(QWidget* parent)
    : ZoomPlot(Qt::Horizontal, parent) {
    setAccessibleName(tr("Singular values"));
    setMinimumHeight(140);
    axisRect()->setAutoMargins(QCP::msBottom);
    axisRect()->setMargins({kPlotLeftMargin, 8, 8, 0});
    xAxis->grid()->setVisible(false);
    xAxis->setTicker(QSharedPointer<CountTicker>::create());
    m_values = addGraph();
    restyle();
}

void SpectrumPlot::restyle() {
    stylePlot(*this);
    QColor fill = seriesColor(0);
    fill.setAlphaF(0.18F);
    m_values->setPen(QPen(seriesColor(0), 1.2));
    m_values->setBrush(fill);
    m_values->setScatterStyle({QCPScatterStyle::ssDisc, seriesColor(0), kMarkSize});
    replot(rpQueuedReplot);
}

void SpectrumPlot::setSpectrum(std::shared_ptr<const Spectrum> spectrum) {
    m_spectrum = std::move(spectrum);
    redraw();
    showAll();
}

void SpectrumPlot::setLogarithmic(bool logarithmic) {
    m_logarithmic = logarithmic;
    redraw();
    showAll();
}

void SpectrumPlot::redraw() {
    QVector<double> numbers;
    QVector<double> values;
    double largest = 0;
    double smallest = 0;
    for (std::size_t i = 0; m_spectrum != nullptr && i < m_spectrum->values.size(); ++i) {
        const double value = m_spectrum->values[i];
        if (m_logarithmic && !(value > m_spectrum->values[0] * kSmallestShown)) {
            continue; // zero has no place on a logarithmic axis
        }
        numbers << static_cast<double>(i + 1);
        values << value;
        largest = std::max(largest, value);
        smallest = value;
    }
    m_values->setData(numbers, values, true);
    yAxis->setScaleType(m_logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (m_logarithmic && largest > 10 * smallest) {
        yAxis->setTicker(QSharedPointer<DecadeTicker>::create());
    } else {
        yAxis->setTicker(QSharedPointer<ValueTicker>::create());
    }
    const double top = largest > 0 ? largest : 1;
    yAxis->setRange(m_logarithmic ? (smallest > 0 ? smallest / kRoom / kRoom : 0.1) : 0,
                    m_logarithmic ? top * kRoom * kRoom : top * kRoom);
}

void SpectrumPlot::showAll() {
    const std::size_t count = m_spectrum != nullptr ? m_spectrum->values.size() : 0;
    xAxis->setRange(0.5, std::max<double>(static_cast<double>(count), 1) + 0.5);
    replot(rpQueuedReplot);
}

std::vector<PictureKey> SpectrumPlot::keys() const {
    return {{tr("singular values"), [](QPainter& painter, const QRectF& rect) {
                 painter.setPen(QPen(seriesColor(0), 1.2));
                 painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
             }}};
}

QString SpectrumPlot::textOf(std::size_t value) const {
    return tr("Value %1: %2\nThe first %1 hold %3 % of the energy")
        .arg(formatCount(value + 1), formatReal(m_spectrum->values[value], 6),
             formatFixed(100 * m_spectrum->share(value + 1), 2));
}

void SpectrumPlot::mouseMoveEvent(QMouseEvent* event) {
    ZoomPlot::mouseMoveEvent(event);
    const double at = std::round(xAxis->pixelToCoord(event->position().x()));
    const std::size_t count = m_spectrum != nullptr ? m_spectrum->values.size() : 0;
    if (axisRect()->rect().contains(event->pos()) && at >= 1 && at <= static_cast<double>(count)) {
        QToolTip::showText(event->globalPosition().toPoint(), plainToolTip(textOf(static_cast<std::size_t>(at) - 1)),
                           this);
    } else {
        QToolTip::hideText();
    }
}

} // namespace gufo::ui

#include "moc_spectrum_plot.cpp"
