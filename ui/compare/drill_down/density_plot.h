// Plots the weights of the reference (x) against another file's weights (y): counts in a grid on a logarithmic colour
// scale, with the diagonal of equal weights.
//
// Mouse: the wheel zooms both axes, dragging moves, a double click shows all; hovering shows a cell's figures. Keys: +
// and − zoom, arrows move, Home shows all.
#pragma once

#include "analysis/compare/compare_tensors.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>

namespace gufo::ui {

class DensityPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit DensityPlot(QWidget* parent = nullptr);
    void setNames(const QString& reference, const QString& other);
    void setContent(PairDensity density); // shows all of it
    void setRecount(PairDensity density);
    void setColorMap(ColorMap map);
    void clear();
    void showAll() override;
    [[nodiscard]] const PairDensity& content() const { return m_density; } // as shown
    // The cells that contain pairs, as a table.
    [[nodiscard]] QStringList header() const;
    [[nodiscard]] QList<QStringList> rows() const;

signals:
    void recountWanted(double lo, double hi); // emitted shortly after the last zoom or move

protected:
    void restyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void redraw();
    void setBoth(QCPRange range);
    void axisChanged(const QCPRange& range);
    void placeColours();

    PairDensity m_density;
    double m_lo = 0;
    double m_hi = 1;
    bool m_settingRange = false;
    ColorMap m_colorMap = ColorMap::Viridis;
    QString m_reference;
    QString m_other;
    QTimer m_settled;
    QCPColorMap* m_map;
    QCPColorScale* m_scale;
    QCPItemStraightLine* m_diagonal;
};

} // namespace gufo::ui
