// A map of blocks × roles, coloured by cells: the geometry of its bands, and its cells under the mouse and the keys.
// The block map of a model has one such map; the quality map of a comparison has one for each file, with the same rows
// and blocks. Blocks wrap into bands if they do not fit side by side, and the tensors outside of blocks are below.
//
// Mouse: hovering shows a tip, a click selects and activates. Keys: arrows, Home and End move (past the end of a map
// into the next), Return activates.
#pragma once

#include "ui/widgets/plot_keys.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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
    struct Panel {                      // a part of a model: its only one, or encoder, decoder, projector
        std::size_t columns = 0;        // blocks
        std::size_t columnsPerBand = 1; // at most
        std::vector<bool> gaps{};       // by row: whether a gap precedes it
        bool titled = false;
    };
    // Blocks of a panel in one line. Positions are relative to the map.
    struct Band {
        std::size_t panel = 0;
        std::size_t firstColumn = 0;
        std::size_t columns = 0;
        int top = 0;
        bool titled = false;        // shows the panel's name above
        bool last = false;          // of its panel
        std::vector<int> rowTops{}; // and one past the last, for the block numbers
    };
    struct Map {
        std::size_t file = 0;
        QPoint at;
        bool first = true; // in its row of maps: shows the names of roles
    };
    struct Layout {
        int labels = 0;    // width of the names of roles
        int cell = 1;      // width of a column including the gap
        int rowHeight = 1; // including the gap
        int width = 0;     // of a map
        int height = 0;    // of a map
        int total = 0;     // height of the widget
        int after = 0;     // where something may follow the cells
        std::vector<Panel> panels{};
        std::vector<Band> bands{};
        std::vector<QRect> loose{}; // swatch and text of each tensor outside of blocks
        int swatch = 0;
        std::vector<Map> maps{};
    };
    struct Gaps {
        int title = 0; // height of a panel's name
        int group = 0;
        int band = 0;     // after a band, besides the last one of all
        int lastBand = 0; // after this
        int axis = 0;     // height of the line with block numbers
    };

    explicit BlockGrid(QWidget* parent);

    [[nodiscard]] virtual Layout layOut(int width) const = 0;
    [[nodiscard]] const Layout& layout() const { return m_layout; }
    void relayOut(); // after the content has changed
    // Adds the bands of layout.panels from `y` on. Returns the position below.
    [[nodiscard]] static int addBands(Layout& layout, int y, const Gaps& gaps);

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
