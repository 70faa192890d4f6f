// The scale of a quality map's colours with ticks and unit, and the marks that stand for no figure.
#pragma once

#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace gufo::ui {

class MetricLegend : public QWidget {
    Q_OBJECT

public:
    explicit MetricLegend(QWidget* parent = nullptr);
    // `common`: one scale for all maps; otherwise the ends are words.
    void setScale(const MetricScale& scale, ColorMap map, bool common);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    void draw(QPainter& painter) const; // at 0, 0

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString caption() const;
    MetricScale m_scale;
    ColorMap m_map = ColorMap::Viridis;
    bool m_common = true;
};

} // namespace gufo::ui
