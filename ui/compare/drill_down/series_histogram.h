// Overlaid histograms of several files with common bin edges: step lines in the files' colours and dashes, with counts
// on a logarithmic axis. A zoom requests an exact recount.
//
// Mouse: the wheel zooms, dragging moves, a double click shows all; hovering shows a bin's range and counts. Keys: +
// and − zoom, ← and → move, Home shows all.
#pragma once

#include "analysis/statistics.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>

namespace gufo::ui {

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
    [[nodiscard]] const std::vector<Series>& content() const { return m_series; } // the bins as shown
    void showAll() override;
    // The bins as a table: from, to, and a count per file.
    [[nodiscard]] QStringList header() const;
    [[nodiscard]] QList<QStringList> rows() const;

signals:
    void recountWanted(double lo, double hi); // emitted shortly after the last zoom or move

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
