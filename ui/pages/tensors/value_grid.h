// The value grid: a table that fills its widget and is moved over a matrix of any size by keys, wheel and scroll bars.
//
// Keys: arrows, Page Up/Down, Home/End (of the row; with Ctrl of the matrix); with Shift they extend the selection.
#pragma once

#include "ui/pages/tensors/models/value_grid_model.h"

#include <QLabel>
#include <QScrollBar>
#include <QTableView>

namespace gufo::ui {

class ValueGrid : public QTableView {
    Q_OBJECT

public:
    explicit ValueGrid(QWidget* parent = nullptr);

    [[nodiscard]] ValueGridModel& gridModel() { return m_model; }
    [[nodiscard]] const ValueGridModel& gridModel() const { return m_model; }
    void setMatrix(ValueGridModel::Matrix matrix, const QString& corner);
    void setCellCharacters(int characters); // length of the longest cell text

    void setCurrent(std::uint64_t row, std::uint64_t column); // also scrolls to it
    [[nodiscard]] std::uint64_t currentRow() const { return m_currentRow; }
    [[nodiscard]] std::uint64_t currentColumn() const { return m_currentColumn; }
    [[nodiscard]] CellRange window() const; // the visible cells
    [[nodiscard]] bool isEmpty() const;

    // The scroll bars that move the window. The owner places them beside the grid.
    [[nodiscard]] QScrollBar* rowBar() { return m_rowBar; }
    [[nodiscard]] QScrollBar* columnBar() { return m_columnBar; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void currentCellChanged(std::uint64_t row, std::uint64_t column);
    void windowChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    void restyle();
    void moveTo(std::uint64_t row, std::uint64_t column, bool extend);
    void moveWindow(std::uint64_t firstRow, std::uint64_t firstColumn);
    void syncBars();
    void scrolled();
    [[nodiscard]] int visibleRows() const;
    [[nodiscard]] int visibleColumns() const;

    ValueGridModel m_model;
    QScrollBar* m_rowBar;
    QScrollBar* m_columnBar;
    QLabel* m_corner;
    int m_columnWidth = 74;
    std::uint64_t m_currentRow = 0;
    std::uint64_t m_currentColumn = 0;
    std::uint64_t m_anchorRow = 0;
    std::uint64_t m_anchorColumn = 0;
    bool m_syncing = false;
};

} // namespace gufo::ui
