// Histograms of several files over each other on one set of edges: step lines in the files' colours, counts on a
// logarithmic axis. A zoom asks for an exact recount.
//
// Mouse: wheel zooms, drag moves, double click shows all; hovering tells a bin's range and its counts. Keys: + − zoom,
// ← → move, Home shows all.
#pragma once

#include "analysis/statistics.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>

namespace gufo::ui {

// Dashed from the fifth on, as colours repeat; the reference in grey.
[[nodiscard]] QPen seriesPen(int series);

class SeriesHistogram : public ZoomPlot {
    Q_OBJECT

public:
    explicit SeriesHistogram(QWidget* parent = nullptr);

    struct Series {
        QString label;
        int series = -1; // −1: the reference
        Histogram histogram;
    };
    void setContent(std::vector<Series> series); // shows all of it
    void setRecount(std::vector<Histogram> histograms);
    void clear();
    [[nodiscard]] const std::vector<Series>& content() const { return m_series; } // the bins on the screen
    void showAll() override;
    // Bins as a table: from, to, a count for each file.
    [[nodiscard]] QStringList header() const;
    [[nodiscard]] QList<QStringList> rows() const;

signals:
    void recountWanted(double lo, double hi); // a moment after the last zoom or move

protected:
    void resizeEvent(QResizeEvent* event) override;
    void restyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void redraw();
    void rangeChanged(const QCPRange& range);
    [[nodiscard]] QString binText(std::size_t bin) const;

    std::vector<Series> m_series;
    double m_lo = 0;
    double m_hi = 1;
    bool m_settingRange = false;
    QTimer m_settled;
};

} // namespace gufo::ui
