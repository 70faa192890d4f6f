// The quality map of a comparison: a map of blocks × roles for each file except the reference, on a common colour
// scale, with the tensors outside of blocks below. Maps wrap into rows and blocks into bands if the width requires it.
//
// Mouse: hovering shows figures, a click activates the tensor, a click on a role with experts unfolds it. Keys: arrows,
// Home and End move (past the end of a map into the next), Return activates the tensor, + and − unfold and fold. A
// right click or the menu key asks for a menu.
#pragma once

#include "ui/compare/map/map_values.h"
#include "ui/theme/theme.h"
#include "ui/widgets/block_grid.h"

#include <optional>

namespace gufo::ui {

class QualityMap : public BlockGrid {
    Q_OBJECT

public:
    explicit QualityMap(QWidget* parent = nullptr);

    void setGrid(const Comparison* comparison, std::shared_ptr<const MapGrid> grid);
    void updateRows(const std::vector<std::size_t>& rows);
    void updateTotals() { update(); }
    void updateBehaviours() { setMetric(shownMetric()); }
    void setMetric(Metric metric);
    [[nodiscard]] Metric shownMetric() const { return m_values.metric(); }
    void setColorMap(ColorMap map);
    [[nodiscard]] ColorMap colorMap() const { return m_colorMap; }
    void setSameScale(bool same);
    void setRowHeight(int height); // 16 … 22
    [[nodiscard]] const MapValues& values() const { return m_values; }
    [[nodiscard]] const std::shared_ptr<const MapGrid>& grid() const { return m_grid; }

    void selectRow(std::size_t row); // row of the matches; ignored if the map does not contain it
    [[nodiscard]] QString describe(const Cell& cell) const override;
    [[nodiscard]] QSize sizeHint() const override;

    // Draws the maps without a selection, laid out for a width, for export.
    void drawAt(QPainter& painter, int width) const;

signals:
    void tensorActivated(std::size_t row, std::size_t file); // row of the matches
    void menuRequested(std::size_t row, QPoint globalPos);   // for the tensor of a cell
    void unfoldRequested(const QString& roleId, bool unfold);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    [[nodiscard]] Layout layOut(int width) const override;
    void activate(const Cell& cell) override;

private:
    // Heights in pixels of a map's heading and of the axis below its bands.
    static constexpr int kTitle = 26;
    static constexpr int kAxis = 18;

    [[nodiscard]] std::optional<std::size_t> cellIndex(const Cell& cell) const;
    [[nodiscard]] const MapGridRow* labelAt(QPoint point) const;
    [[nodiscard]] QString summary(std::size_t file) const;
    [[nodiscard]] QStringList behaviourLines(const std::vector<std::uint32_t>& rows, std::size_t file) const;
    void draw(QPainter& painter, const QRect& exposed) const;
    void paintMap(QPainter& painter, const Map& map, const QRect& exposed) const;
    void paintBand(QPainter& painter, const Map& map, const Band& band, const QRect& exposed) const;
    void paintLoose(QPainter& painter, const Map& map) const;
    void paintCell(QPainter& painter, const QRect& rect, std::size_t file, const MapCellValue& value) const;

    const Comparison* m_comparison = nullptr;
    std::shared_ptr<const MapGrid> m_grid;
    MapValues m_values;
    ColorMap m_colorMap = ColorMap::Viridis;
    bool m_sameScale = true;
    int m_rowHeight = 22;
};

} // namespace gufo::ui
