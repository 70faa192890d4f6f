// Plots what swapping tensors changes in the answers against the error of their weights: points far above the line are
// worse than their weight error says, and the farthest are named.
//
// Mouse: the wheel zooms, dragging moves, a double click shows all; hovering shows a point, a click chooses it. Keys: ←
// and → move along the points, + and − zoom, Home shows all.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/plots/zoom_plot.h"

namespace gufo::ui {

class ScatterMarks;

class BehaviourScatter : public ZoomPlot {
    Q_OBJECT

public:
    struct Point {
        std::size_t file = 0;
        std::size_t row = 0; // of the matches: the tensor of the part whose weights lost most
        int series = 0;
        QString name; // of the part
        double error = 0;
        double nats = 0;
        double excess = 0; // nats beyond what parts with such an error usually change
    };

    explicit BehaviourScatter(const Comparison& comparison, QWidget* parent = nullptr);
    void refresh(); // after figures have arrived
    [[nodiscard]] const std::vector<Point>& points() const { return m_points; }
    // The nats that are usual for a relative squared error of 1; 0 if there are no points.
    [[nodiscard]] double usual() const { return m_usual; }
    // Indices of the points whose names are shown: those with the largest excess.
    [[nodiscard]] const std::vector<std::size_t>& named() const { return m_named; }
    // Parts of no effect or without any error in their weights have no place on logarithmic axes.
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut; }
    // Says what the dashed line means and how many parts are left out, or why the plot is empty.
    [[nodiscard]] QString notes() const;
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }
    [[nodiscard]] QPointF pixelOf(const Point& point) const;
    [[nodiscard]] QString describe(const Point& point) const;
    void showAll() override;

signals:
    void pointChosen(std::size_t row, std::size_t file);

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void addPoints(std::size_t file);
    void findExcess();
    void choose(std::size_t point);
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF pixel) const;

    const Comparison& m_comparison;
    std::vector<Point> m_points; // by ascending error
    std::vector<std::size_t> m_named;
    std::size_t m_leftOut = 0;
    double m_usual = 0;
    std::optional<std::size_t> m_chosen; // index
    QPoint m_pressed;
    ScatterMarks* m_marks;
};

} // namespace gufo::ui
