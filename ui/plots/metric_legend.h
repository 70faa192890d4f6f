// The colour scale of a quality map with ticks and unit, and the marks for cells without a figure or with one that
// leaves weights out.
#pragma once

#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QRect>
#include <QWidget>

class QPainter;

namespace gufo::ui {

class MetricLegend : public QWidget {
    Q_OBJECT

public:
    explicit MetricLegend(QWidget* parent = nullptr);
    // `common`: all maps share one scale. Otherwise the ends are labelled with words.
    void setScale(const MetricScale& scale, ColorMap map, bool common);
    // Explains the mark of figures that leave weights out, which most comparisons do not have.
    void setLeavesOut(bool leavesOut);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override; // with a short scale
    void draw(QPainter& painter) const;                   // at the origin, as large as sizeHint()

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString caption() const;
    void draw(QPainter& painter, int scaleWidth) const;
    MetricScale m_scale;
    ColorMap m_map = ColorMap::Viridis;
    bool m_common = true;
    bool m_leavesOut = false;
};

// The colour of a figure in the colour map that the user has chosen.
[[nodiscard]] QColor metricColor(const MetricScale& scale, double value, ColorMap map);
// Paints the mark of a figure that leaves weights out: a corner on its cell. It is outlined, because it may lie on any
// colour.
void paintLeftOutMark(QPainter& painter, const QRect& cell);

} // namespace gufo::ui
