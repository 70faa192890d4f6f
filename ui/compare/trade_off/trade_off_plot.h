// Plots a trade-off: size on the x axis, quality on the y axis, labelled points, and the frontier as a step line.
//
// Mouse: the wheel zooms, dragging moves, a double click shows all; hovering shows a point, a click selects it. Keys: ←
// and → move the selection, + and − zoom, Home shows all.
#pragma once

#include "ui/compare/trade_off/trade_off.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

namespace gufo::ui {

class TradeOffMarks;

class TradeOffPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit TradeOffPlot(QWidget* parent = nullptr);
    void setPoints(std::vector<TradeOffPoint> points, Metric metric, SizeMeasure size, const QString& reference);
    [[nodiscard]] const std::vector<TradeOffPoint>& points() const { return m_points; }
    void setFrontierShown(bool shown);
    [[nodiscard]] bool isFrontierShown() const { return m_frontierShown; }
    void setChosen(std::optional<std::size_t> file);
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
    void showAll() override;

    // In pixels. Empty for points that are not shown.
    [[nodiscard]] QPointF pixelOf(const TradeOffPoint& point) const;
    [[nodiscard]] std::vector<QRectF> labelRects() const; // in the order of points(), as currently laid out
    [[nodiscard]] std::vector<QLineF> frontierLines() const;
    // What the line means, and pale points. Files have the colours and marks that they have everywhere.
    [[nodiscard]] std::vector<PictureKey> keys() const;
    [[nodiscard]] static bool isShown(const TradeOffPoint& point) { return point.quality && point.size > 0; }

signals:
    void pointChosen(std::size_t file);

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] const TradeOffPoint* pointAt(QPointF pixel) const;
    [[nodiscard]] QString describe(const TradeOffPoint& point) const;
    [[nodiscard]] double heightOf(const TradeOffPoint& point) const; // on the axis

    std::vector<TradeOffPoint> m_points;
    Metric m_metric = Metric::Sqnr;
    SizeMeasure m_size = SizeMeasure::Bytes;
    bool m_frontierShown = true;
    double m_nothing = 0; // where a quality of 0 is on a logarithmic axis; 0: there is none
    std::optional<std::size_t> m_chosen;
    QPoint m_pressed;
    TradeOffMarks* m_marks;
};

} // namespace gufo::ui
