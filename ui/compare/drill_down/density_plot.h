// Plots the weights of the reference (x) against another file's weights (y): counts in a grid on a logarithmic colour
// scale, with the diagonal of equal weights.
//
// Mouse: the wheel zooms both axes, dragging moves, a double click shows all; hovering shows a cell's figures. Keys: +
// and − zoom, arrows move, Home shows all.
#pragma once

#include "analysis/compare/compare_tensors.h"
#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>
#include <QWidget>

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

// The plot of one tensor's weights in one file against the weights in the reference. A job counts them, and counts
// again after a zoom.
class PairScatter : public QWidget {
    Q_OBJECT

public:
    explicit PairScatter(Comparison& comparison, QWidget* parent = nullptr);
    void setPair(MatchedRow row, std::size_t file);
    void cancel() { m_job.cancel(); }
    void clear(); // also cancels the job
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    [[nodiscard]] DensityPlot& plot() { return *m_plot; }

signals:
    void started(gufo::ui::Job* job, const QString& what);
    void failed(const gufo::Error& error);

private:
    void count(const std::optional<std::array<double, 2>>& range); // empty: the full range, for new content

    Comparison& m_comparison;
    MatchedRow m_row;
    std::size_t m_file = 0;
    LatestJob m_job{this};
    DensityPlot* m_plot;
};

} // namespace gufo::ui
