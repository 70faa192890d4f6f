#include "ui/plots/zoom_plot.h"

#include "ui/theme/accessibility.h"
#include "ui/widgets/plot_keys.h"

namespace gufo::ui {

ZoomPlot::ZoomPlot(Qt::Orientations zoomed, QWidget* parent)
    : QCustomPlot(parent)
    , m_zoomed(zoomed) {
    setFocusPolicy(Qt::StrongFocus);
    addFocusRing(this);
    setSpokenRole(this, QAccessible::Chart);
    setMouseTracking(true);
    // Otherwise, a queued replot paints the window in the same iteration of the event loop.
    setPlottingHint(QCP::phImmediateRefresh, false);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    axisRect()->setRangeDrag(zoomed);
    axisRect()->setRangeZoom(zoomed);
    axisRect()->setRangeZoomFactor(1 / kZoomStep);
    connect(this, &QCustomPlot::mouseDoubleClick, this, [this] { showAll(); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { restyle(); });
}

QList<QCPAxis*> ZoomPlot::zoomedAxes() const {
    QList<QCPAxis*> axes;
    for (QCPAxis* axis : {xAxis, yAxis}) {
        if (m_zoomed.testFlag(axis->orientation())) {
            axes << axis;
        }
    }
    return axes;
}

void ZoomPlot::zoom(double factor) {
    for (QCPAxis* axis : zoomedAxes()) {
        axis->scaleRange(factor);
    }
    replot(rpQueuedReplot);
}

bool ZoomPlot::step(int columns, int rows, Qt::KeyboardModifiers /*modifiers*/) {
    constexpr double kShare = 0.125;
    QCPAxis* axis = columns != 0 ? xAxis : yAxis;
    if (!m_zoomed.testFlag(axis->orientation())) {
        return false;
    }
    axis->moveRange(kShare * axis->range().size() * (columns - (yAxis->rangeReversed() ? -rows : rows)));
    replot(rpQueuedReplot);
    return true;
}

void ZoomPlot::keyPressEvent(QKeyEvent* event) {
    bool done = true;
    switch (plotCommand(KeyedView::Plot, event->key())) {
    case PlotCommand::ZoomIn:
        zoom(1 / kZoomStep);
        break;
    case PlotCommand::ZoomOut:
        zoom(kZoomStep);
        break;
    case PlotCommand::Left:
        done = step(-1, 0, event->modifiers());
        break;
    case PlotCommand::Right:
        done = step(1, 0, event->modifiers());
        break;
    case PlotCommand::Up:
        done = step(0, -1, event->modifiers());
        break;
    case PlotCommand::Down:
        done = step(0, 1, event->modifiers());
        break;
    case PlotCommand::ShowAll:
        showAll();
        break;
    default:
        done = false;
    }
    if (done) {
        event->accept();
    } else {
        QCustomPlot::keyPressEvent(event);
    }
}

void ZoomPlot::applyTheme(bool marksFocus) {
    restyle();
    if (marksFocus && hasFocus()) {
        for (QCPAxis* axis : zoomedAxes()) {
            axis->setBasePen(QPen(themeColor(Token::Accent), 2));
        }
    }
}

void ZoomPlot::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    applyTheme(true);
    replot(rpQueuedReplot);
}

void ZoomPlot::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    restyle();
}

} // namespace gufo::ui

#include "moc_zoom_plot.cpp"
