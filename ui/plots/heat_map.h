// A matrix as colours: the whole reduced to the pixels there are, or down to single weights.
//
// Mouse: wheel zooms both axes (with Shift the columns only), drag moves, Ctrl+drag zooms to a rectangle, click picks a
// weight, double click shows all. Keys: arrows move, with Shift they move the picked weight, + − zoom, Home shows all.
// The map never reads a tensor: it says what it wants and is given cells.
#pragma once

#include "analysis/slice.h"
#include "ui/plots/cell_range.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>

namespace gufo::ui {

class MapOverlay;

class HeatMap : public ZoomPlot {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    // A new matrix: shows all of it, without cells until they come. Borders between blocks are drawn before columns
    // that are multiples of these; 0: none.
    void setMatrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t blockColumns,
                   std::uint64_t subBlockColumns);
    // Colours reach from −limit to limit.
    void setLimit(double limit);
    void setColorMap(ColorMap map);
    [[nodiscard]] ColorMap colorMap() const { return m_colorMap; }

    // The rows and columns in sight, and how many cells fit.
    struct View {
        CellRange range;
        std::uint64_t maxRows = 0;
        std::uint64_t maxColumns = 0;
    };
    [[nodiscard]] View view() const;
    // The cells of a range, maybe reduced. What is in sight outside the range stays empty until its own cells come.
    void setCells(const CellRange& range, const Slice& cells,
                  SliceReduction reduction = SliceReduction::LargestMagnitude);
    void showAll() override;
    void showRange(const CellRange& range);
    // Moves so that the weight is in sight; zooms in far enough to tell it from its neighbours if `close`.
    void showWeight(std::uint64_t row, std::uint64_t column, bool close);

    void setMarker(std::optional<CellRange> range); // what the value grid shows
    [[nodiscard]] const std::optional<CellRange>& marker() const { return m_marker; }
    [[nodiscard]] std::uint64_t blockColumns() const { return m_blockColumns; }
    [[nodiscard]] std::uint64_t subBlockColumns() const { return m_subBlockColumns; }

signals:
    void viewChanged(); // a moment after the last zoom, move or resize: cells are wanted
    void rangeShown(const gufo::ui::CellRange& range);
    void picked(std::uint64_t row, std::uint64_t column);
    void stepped(int rows, int columns); // Shift+arrow
    void hovered(const QString& text);   // empty: nowhere

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void setRanges(QCPRange columns, QCPRange rows);
    void zoomBy(double factor, QPointF centre, bool rowsToo = true);
    void clampAxis(QCPAxis* axis, double whole);
    void changed();
    [[nodiscard]] bool weightAt(QPointF position, std::uint64_t& row, std::uint64_t& column) const;
    [[nodiscard]] QString hoverText(std::uint64_t row, std::uint64_t column) const;

    std::uint64_t m_rows = 0;
    std::uint64_t m_columns = 0;
    std::uint64_t m_blockColumns = 0;
    std::uint64_t m_subBlockColumns = 0;
    ColorMap m_colorMap = ColorMap::Viridis;
    std::optional<CellRange> m_marker;
    CellRange m_cellsRange;
    Slice m_cells;
    SliceReduction m_reduction = SliceReduction::LargestMagnitude;
    bool m_clamping = false;
    QPoint m_pressed;
    bool m_picking = false;
    QTimer m_settled;
    QCPColorMap* m_map;
    QCPColorScale* m_scale;
    MapOverlay* m_overlay;
};

} // namespace gufo::ui
