// The points of a trade-off in a plot: size across, quality up, names beside the points, the frontier as steps.
//
// Mouse: wheel zooms, drag moves, double click shows all; hovering tells a point, a click chooses it. Keys: ← → move
// the choice, + − zoom, Home shows all.
#pragma once

#include "ui/compare/trade_off/trade_off.h"
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

    // In pixels; those of what is not shown are empty.
    [[nodiscard]] QPointF pixelOf(const TradeOffPoint& point) const;
    [[nodiscard]] std::vector<QRectF> labelRects() const; // as points(); of the layout that is on the screen
    [[nodiscard]] std::vector<QLineF> frontierLines() const;
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

    std::vector<TradeOffPoint> m_points;
    Metric m_metric = Metric::Sqnr;
    SizeMeasure m_size = SizeMeasure::Bytes;
    bool m_frontierShown = true;
    std::optional<std::size_t> m_chosen;
    QPoint m_pressed;
    TradeOffMarks* m_marks;
};

} // namespace gufo::ui
