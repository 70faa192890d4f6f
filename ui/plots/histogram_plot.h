// A zoomable histogram: a step line with the mean and a σ band. While it waits for an exact recount, it shows the bins
// that it has.
//
// Mouse: the wheel zooms, dragging moves, a double click shows all; hovering shows a bin's range and count. Keys: + and
// − zoom, ← and → move, Home shows all.
#pragma once

#include "analysis/statistics.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>

#include <optional>

namespace gufo::ui {

class HistogramPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget* parent = nullptr);

    struct Content {
        Histogram histogram;
        std::optional<double> mean{};
        std::optional<double> std{};
        QString things;     // the counted things: "weights", translated
        bool codes = false; // bins are integers (the first is at lo + 0.5) and cannot be refined
    };
    void setContent(Content content); // shows all of it
    void setRecount(Histogram histogram);
    void clear();
    [[nodiscard]] const Histogram& histogram() const { return m_shown; } // the bins as shown
    [[nodiscard]] bool isZoomed() const;
    [[nodiscard]] std::vector<PictureKey> keys() const; // what its lines and areas mean

    void setLogarithmic(bool logarithmic);
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void showAll() override;

signals:
    void recountWanted(double lo, double hi); // emitted shortly after the last zoom or move
    void shownChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void restyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void redraw();
    void placeCaptions();
    [[nodiscard]] QString captionText(bool whole) const;
    void rangeChanged(const QCPRange& range);
    [[nodiscard]] QString binText(std::size_t bin) const;

    Content m_content;
    Histogram m_shown;
    bool m_logarithmic = true;
    bool m_settingRange = false;
    QTimer m_settled;
    QCPGraph* m_steps;
    QCPItemRect* m_band;
    QCPItemLine* m_mean;
    QCPItemText* m_caption;
    QCPItemText* m_bandCaption;
};

} // namespace gufo::ui
