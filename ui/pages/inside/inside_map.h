// A rectangle of values as colours, with a scale: entropies by block and head, the weights of a head by query and key,
// or the load of experts by block.
//
// Mouse: the wheel zooms, dragging moves, a click picks a cell, a double click shows all. Keys: see ZoomPlot; Shift
// with an arrow picks the neighbouring cell.
#pragma once

#include "ui/plots/zoom_plot.h"

#include <QImage>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace gufo::ui {

struct InsideCells {
    // Nothing is there, so that the ground is seen.
    static constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
    // What is there is NaN. It has a colour that the scale does not have.
    static constexpr float kNotANumber = std::numeric_limits<float>::infinity();

    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<float> values{}; // [row][column]
    QString rowName{};           // of the axes: "Block"
    QString columnName{};
    QString scaleName{};
    bool diverging = false;                             // for differences: 0 is in the middle of the scale
    std::function<QString(std::size_t row)> rowLabel{}; // empty: the number
    std::function<QString(std::size_t row, std::size_t column, float value)> describe{};

    [[nodiscard]] float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

class InsideMap : public ZoomPlot {
    Q_OBJECT

public:
    InsideMap(const QString& accessibleName, QWidget* parent);

    void setCells(InsideCells cells);
    void setCell(std::size_t row, std::size_t column); // marks it; does not emit picked()
    [[nodiscard]] const InsideCells& cells() const { return m_cells; }
    [[nodiscard]] const QImage& image() const { return m_image; }
    [[nodiscard]] std::pair<std::size_t, std::size_t> cell() const { return {m_row, m_column}; }
    [[nodiscard]] QPoint centreOf(std::size_t row, std::size_t column) const; // in pixels
    [[nodiscard]] QString textOf(std::size_t row, std::size_t column) const;
    void showAll() override;

signals:
    void picked(std::size_t row, std::size_t column);
    void hovered(const QString& text); // empty: not over the map

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> cellAt(QPointF position) const;
    void pick(std::size_t row, std::size_t column);
    void paintCells();

    InsideCells m_cells;
    QImage m_image; // a pixel for each cell
    std::size_t m_row = 0;
    std::size_t m_column = 0;
    QPoint m_pressed;
    QCPColorMap* m_colours; // has no cells: it carries gradient and range of the scale
    QCPColorScale* m_scale;
};

} // namespace gufo::ui
