// A map of blocks × roles, coloured by cells: places them by a BlockLayout, and finds them under the mouse and the
// keys. The block map of a model and the map of planned types are one such map; the quality map of a comparison has one
// for each file, with the same rows and blocks.
//
// Mouse: hovering shows a tip, a click selects and activates. Keys: arrows, Home and End move (past the end of a map
// into the next), Return activates.
#pragma once

#include "ui/report/block_layout.h"
#include "ui/widgets/plot_keys.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <span>

namespace gufo::ui {

class BlockGrid : public QWidget {
    Q_OBJECT

public:
    struct Cell {
        std::size_t file = 0;  // of the map; 0 where there is only one
        std::size_t panel = 0; // the number of panels stands for the tensors outside of blocks; `column` is then their
                               // number
        std::size_t row = 0;
        std::size_t column = 0;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] std::optional<Cell> selected() const { return m_selected; }
    void select(std::optional<Cell> cell); // ignored if there is no such cell
    [[nodiscard]] std::optional<Cell> cellAt(QPoint point) const;
    [[nodiscard]] QRect cellRect(const Cell& cell) const; // without the gap between cells
    [[nodiscard]] virtual QString describe(const Cell& cell) const = 0;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return layOut(width).total; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 40}; }

protected:
    using Layout = BlockLayout;
    using Panel = BlockLayout::Panel;
    using Band = BlockLayout::Band;
    using Map = BlockLayout::Map;

    explicit BlockGrid(QWidget* parent);

    [[nodiscard]] virtual Layout layOut(int width) const = 0;
    [[nodiscard]] const Layout& layout() const { return m_layout; }
    void relayOut(); // after the content has changed

    [[nodiscard]] bool exists(const Cell& cell) const;
    [[nodiscard]] const Map* mapOf(std::size_t file) const;
    [[nodiscard]] QRect rectIn(const Map& map, const Cell& cell) const;
    [[nodiscard]] QRect cellOfBand(const Map& map, const Band& band, std::size_t row, std::size_t column) const;
    // Calls use(row, y) for the rows of a band that are exposed; y is in the widget.
    template<typename Use>
    void forExposedRows(const Map& map, const Band& band, const QRect& exposed, const Use& use) const {
        for (std::size_t row = 0; row + 1 < band.rowTops.size(); ++row) {
            const int y = map.at.y() + band.rowTops[row];
            if (y <= exposed.bottom() && y + m_layout.rowHeight >= exposed.top()) {
                use(row, y);
            }
        }
    }

    // Writes `text` at the right of the names of roles.
    void paintLabel(QPainter& painter, int y, int height, const QString& text) const;
    // Writes the number of each block that is at a multiple of `step`.
    void paintBlockNumbers(QPainter& painter, const Map& map, const Band& band, std::size_t step,
                           std::span<const std::uint32_t> blocks, int height) const;
    void paintAbsent(QPainter& painter, const QRect& cell) const; // a cell without tensors
    // Frames the hovered and the selected cell; the selected one in every map, with the accent colour in its own.
    void paintFrames(QPainter& painter) const;

    virtual void activate(const Cell& cell) = 0; // the cell exists
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] std::size_t rowsOf(std::size_t panel) const;
    [[nodiscard]] std::size_t columnsOf(std::size_t panel) const;
    [[nodiscard]] Cell moved(const Cell& from, PlotCommand command) const;
    void showTip(const Cell& cell, QPoint at);

    Layout m_layout;
    std::optional<Cell> m_selected;
    std::optional<Cell> m_hovered;
};

} // namespace gufo::ui
