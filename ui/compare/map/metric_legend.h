// The colour scale of a quality map with ticks and unit, and the marks for cells without a figure.
#pragma once

#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QWidget>

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
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    void draw(QPainter& painter) const; // at the origin

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString caption() const;
    MetricScale m_scale;
    ColorMap m_map = ColorMap::Viridis;
    bool m_common = true;
    bool m_leavesOut = false;
};

} // namespace gufo::ui
