// Shows a matrix as colours, from the whole matrix reduced to the available pixels down to single weights.
//
// Mouse: the wheel zooms both axes (with Shift the columns only), dragging moves, Ctrl+drag zooms to a rectangle, a
// click picks a weight, a double click shows all. Keys: arrows move, with Shift they move the picked weight, + and −
// zoom, Home shows all.
//
// The map never reads a tensor: it emits viewChanged() and is given cells.
#pragma once

#include "analysis/slice.h"
#include "ui/plots/cell_range.h"
#include "ui/plots/map_fold.h"
#include "ui/plots/zoom_plot.h"

#include <QTimer>

#include <optional>

namespace gufo::ui {

// The range for the colours of values from `low` to `high`: symmetric about zero if they have both signs, so that zero
// is in the middle of the colours.
[[nodiscard]] QCPRange colorLimits(double low, double high);

class HeatMap : public ZoomPlot {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    // Sets a new matrix and shows all of it, without cells until they arrive. Block borders are drawn before columns
    // that are multiples of the given numbers; 0: none.
    void setMatrix(std::uint64_t rows, std::uint64_t columns, std::uint64_t blockColumns,
                   std::uint64_t subBlockColumns);
    // The range of the colour scale while single weights are shown, which stays while the user moves; empty: the range
    // of the visible cells. Folded cells always have a scale of their own range.
    void setLimits(std::optional<QCPRange> limits);
    // Emits viewChanged(), because other cells are needed.
    void setFold(MapFold fold);
    [[nodiscard]] MapFold fold() const { return m_fold; }
    void setColorMap(ColorMap map);
    [[nodiscard]] ColorMap colorMap() const { return m_colorMap; }
    // For differences: cells with a sign have diverging colours around zero instead of the colours of the colour map.
    void setDiverging(bool diverging);

    // The visible rows and columns, and how many cells fit.
    struct View {
        CellRange range;
        std::uint64_t maxRows = 0;
        std::uint64_t maxColumns = 0;
        [[nodiscard]] std::uint64_t rows() const { return range.lastRow - range.firstRow + 1; }
        [[nodiscard]] std::uint64_t columns() const { return range.lastColumn - range.firstColumn + 1; }
        // How the cells are folded if the user chose `wanted`: never Automatic, and single weights are signed.
        [[nodiscard]] MapFold foldFor(MapFold wanted) const;
    };
    [[nodiscard]] View view() const;
    // Sets the cells of a range, which may be reduced. Visible cells outside of the range stay empty until they arrive.
    // `cells` were reduced as reductionOf(fold) says.
    void setCells(const CellRange& range, const Slice& cells, MapFold fold = MapFold::Signed);
    // "each pixel: RMS of about 64 weights"; empty if single weights are shown.
    [[nodiscard]] QString cellsText() const;
    [[nodiscard]] QCPRange colorRange() const { return m_map->dataRange(); }
    void showAll() override;
    void showRange(const CellRange& range);
    // Scrolls to make the weight visible. If `close`, also zooms in until it can be distinguished from its neighbours.
    void showWeight(std::uint64_t row, std::uint64_t column, bool close);

    void setMarker(std::optional<CellRange> range); // the range that the value grid shows
    [[nodiscard]] const std::optional<CellRange>& marker() const { return m_marker; }
    [[nodiscard]] std::uint64_t blockColumns() const { return m_blockColumns; }
    [[nodiscard]] std::uint64_t subBlockColumns() const { return m_subBlockColumns; }

signals:
    void viewChanged(); // emitted shortly after the last zoom, move or resize: cells are needed
    void rangeShown(const gufo::ui::CellRange& range); // the range is visible now, or its cells have arrived
    void picked(std::uint64_t row, std::uint64_t column);
    void stepped(int rows, int columns); // Shift+arrow
    void hovered(const QString& text);   // empty: not over the map

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
    [[nodiscard]] std::uint64_t weightsPerCell() const; // approximately
    [[nodiscard]] QCPRange rangeOfCells() const;
    [[nodiscard]] QCPColorGradient gradient() const;
    [[nodiscard]] bool hasSign() const; // of the cells
    [[nodiscard]] QString hoverText(std::uint64_t row, std::uint64_t column) const;

    std::uint64_t m_rows = 0;
    std::uint64_t m_columns = 0;
    std::uint64_t m_blockColumns = 0;
    std::uint64_t m_subBlockColumns = 0;
    ColorMap m_colorMap = ColorMap::Viridis;
    bool m_isDiverging = false;
    std::optional<CellRange> m_marker;
    CellRange m_cellsRange;
    Slice m_cells;
    MapFold m_fold = MapFold::Automatic;   // as chosen
    MapFold m_cellsFold = MapFold::Signed; // of m_cells
    std::optional<QCPRange> m_limits;
    bool m_clamping = false;
    QPoint m_pressed;
    bool m_picking = false;
    QTimer m_settled;
    QCPColorMap* m_map;
    QCPColorScale* m_scale;
};

} // namespace gufo::ui
