// The quality map of a comparison: a map of blocks × roles for each file except the reference, on a common colour
// scale, with the tensors outside of blocks below. Maps wrap into rows and blocks into bands if the width requires it.
//
// Mouse: hovering shows figures, a click activates the tensor, a click on a role with experts unfolds it. Keys: arrows,
// Home and End move (past the end of a map into the next), Return activates the tensor, + and − unfold and fold.
#pragma once

#include "ui/compare/map/map_values.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plot_keys.h"

#include <QWidget>

#include <optional>

namespace gufo::ui {

class QualityMap : public QWidget {
    Q_OBJECT

public:
    explicit QualityMap(QWidget* parent = nullptr);

    void setGrid(const Comparison* comparison, std::shared_ptr<const MapGrid> grid);
    void updateRows(const std::vector<std::size_t>& rows);
    void updateTotals() { update(); }
    void setMetric(Metric metric);
    [[nodiscard]] Metric metric() const { return m_values.metric(); }
    void setColorMap(ColorMap map);
    [[nodiscard]] ColorMap colorMap() const { return m_colorMap; }
    void setSameScale(bool same);
    void setRowHeight(int height); // 16 … 22
    [[nodiscard]] const MapValues& values() const { return m_values; }
    [[nodiscard]] const std::shared_ptr<const MapGrid>& grid() const { return m_grid; }

    struct Cell {
        std::size_t file = 0;
        std::size_t panel = 0; // panels.size() stands for the tensors outside of blocks; `column` is then their number
        std::size_t row = 0;
        std::size_t column = 0;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] std::optional<Cell> selected() const { return m_selected; }
    void select(std::optional<Cell> cell);
    void selectRow(std::size_t row); // row of the matches; ignored if the map does not contain it
    [[nodiscard]] std::optional<Cell> cellAt(QPoint point) const;
    [[nodiscard]] QRect cellRect(const Cell& cell) const; // without the gap between cells
    [[nodiscard]] QString describe(const Cell& cell) const;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 40}; }

    // Draws the maps without a selection, laid out for a width, for export.
    void drawAt(QPainter& painter, int width) const;

signals:
    void tensorActivated(std::size_t row, std::size_t file); // row of the matches
    void unfoldRequested(const QString& roleId, bool unfold);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    // Blocks of a panel in one line. Positions are relative to the map.
    struct Band {
        std::size_t panel = 0;
        std::size_t firstColumn = 0;
        std::size_t columns = 0;
        int top = 0;
        bool titled = false;
        std::vector<int> rowTops; // and one past the last, for the block numbers
    };
    struct FileMap { // the geometry of one file's map
        std::size_t file = 0;
        QPoint at;
        bool first = false; // first in its row of maps: shows the role names
    };
    struct Layout {
        int labels = 0; // width of the role names
        int cell = 0;   // width of a column including the gap
        int width = 0;  // of a map
        int height = 0; // of a map
        int total = 0;
        std::vector<Band> bands;
        std::vector<QRect> loose; // swatch and text of each tensor outside of blocks
        std::vector<FileMap> maps;
    };
    [[nodiscard]] Layout layOut(int width) const;
    [[nodiscard]] std::optional<std::size_t> cellIndex(const Cell& cell) const;
    [[nodiscard]] const FileMap* mapOf(std::size_t file) const;
    [[nodiscard]] QRect rectIn(const FileMap& map, const Cell& cell) const;
    [[nodiscard]] const MapGridRow* labelAt(QPoint point) const;
    [[nodiscard]] Cell moved(Cell from, PlotCommand command) const;
    [[nodiscard]] QString summary(std::size_t file) const;
    void relayOut();
    void draw(QPainter& painter, const QRect& exposed) const;
    void paintMap(QPainter& painter, const FileMap& map, const QRect& exposed) const;
    void paintBand(QPainter& painter, const FileMap& map, const Band& band, const QRect& exposed) const;
    void paintLoose(QPainter& painter, const FileMap& map) const;
    void paintCell(QPainter& painter, const QRect& rect, std::size_t file, const MapCellValue& value) const;
    void paintFrames(QPainter& painter) const;
    void activate();
    void showTip(const Cell& cell, QPoint at);

    const Comparison* m_comparison = nullptr;
    std::shared_ptr<const MapGrid> m_grid;
    MapValues m_values;
    ColorMap m_colorMap = ColorMap::Viridis;
    bool m_sameScale = true;
    int m_rowHeight = 22;
    Layout m_layout;
    std::optional<Cell> m_selected;
    std::optional<Cell> m_hovered;
};

} // namespace gufo::ui
