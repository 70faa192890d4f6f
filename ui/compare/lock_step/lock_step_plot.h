// Plots the divergence of each file from the reference at each position of a text, on a logarithmic scale.
//
// Mouse: the wheel zooms along the text, dragging moves, a double click shows all; hovering shows a position, a click
// selects it. Keys: ← and → move the selection, + and − zoom, Home shows all.
#pragma once

#include "ui/compare/lock_step/lock_step_run.h"
#include "ui/plots/zoom_plot.h"

namespace gufo::ui {

class LockStepPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit LockStepPlot(const LockStepRun& run, QWidget* parent = nullptr);
    void setChosen(int row); // −1: none
    [[nodiscard]] int chosen() const { return m_chosen; }
    void showAll() override;

    // In nats. The axis reaches the smallest divergence above this; smaller ones, such as 0, are drawn at its bottom.
    static constexpr double kMinimum = 1e-12;

signals:
    void chosenByPerson(int row);

protected:
    void restyle() override;
    void zoom(double factor) override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void markPoints();
    [[nodiscard]] int seriesOfGraph(int graph) const;
    void rebuild();
    void append(std::size_t first);
    void placeLines();
    // The range of the axis, which contains all divergences above kMinimum.
    [[nodiscard]] QCPRange divergences() const;
    [[nodiscard]] int rowAt(QPointF pixel) const;
    void choose(int row);

    const LockStepRun& m_run;
    int m_chosen = -1;
    QPoint m_pressed;
    bool m_showsAll = true;
    QCPItemStraightLine* m_difference; // at the first difference
    QCPItemStraightLine* m_given;      // at the end of the given text
    QCPItemStraightLine* m_choice;
};

} // namespace gufo::ui
