// The map of blocks × roles, coloured by bits per weight, with the bytes of each role on the right and the tensors
// outside of blocks below. It wraps into bands if the blocks do not fit side by side.
#pragma once

#include "ui/pages/overview/overview_data.h"
#include "ui/widgets/plot_keys.h"

#include <QWidget>

namespace gufo::ui {

// The map's colour scale from 2 to 8.5 bits per weight, with a mark at each value that occurs.
class MapLegend : public QWidget {
    Q_OBJECT

public:
    explicit MapLegend(QWidget* parent = nullptr);
    void setOverview(const Overview& overview);
    [[nodiscard]] QSize sizeHint() const override;
    // Leaves out the names of unquantised types, whose colours the bar of bytes by type shows as well.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] static int swatchWidth(const QString& name);
    [[nodiscard]] static QString furtherTypes(std::size_t count);
    [[nodiscard]] std::size_t shownTypes() const; // how many unquantised types fit

    std::vector<double> m_marks;
    std::vector<std::pair<QString, std::uint32_t>> m_unquantised; // types outside of the scale, with their names
};

class BlockMap : public QWidget {
    Q_OBJECT

public:
    explicit BlockMap(QWidget* parent = nullptr);
    void setOverview(std::shared_ptr<const Overview> overview);

    // A cell of a panel. With panel = panels.size(): a tensor outside of blocks, whose number is `column`.
    struct Cell {
        int panel = 0;
        int row = 0;
        int column = 0;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] std::optional<Cell> selected() const { return m_selected; }
    void select(std::optional<Cell> cell);
    [[nodiscard]] std::optional<Cell> cellAt(QPoint point) const;
    [[nodiscard]] QRect cellRect(const Cell& cell) const; // without the gap between cells
    [[nodiscard]] QString describe(const Cell& cell) const;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void tensorActivated(TensorIndex tensor); // by a click or Return

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    // Blocks of a panel in one line.
    struct Band {
        int panel = 0;
        int firstColumn = 0;
        int columns = 0;
        int top = 0;
        std::vector<int> rowTops; // and one past the last, for the block numbers
        bool last = false;        // last of its panel: shows the bytes of the roles
        bool titled = false;      // shows the panel's name above
    };
    struct Layout {
        int labels = 0; // width of the role names
        int cell = 0;   // width of a column including the gap
        int bytes = 0;  // x coordinate of the byte bars
        int height = 0;
        std::vector<Band> bands;
        std::vector<QRect> loose; // swatch and text of each tensor outside of blocks
        int looseTop = 0;
    };
    [[nodiscard]] Layout layOut(int width) const;
    [[nodiscard]] const MapCell* find(const Cell& cell) const;
    [[nodiscard]] Cell moved(const Cell& from, PlotCommand command) const;
    [[nodiscard]] QColor colorOf(const MapCell& cell) const;
    void paintBand(QPainter& painter, const Band& band, const QRect& exposed) const;
    void paintLoose(QPainter& painter) const;
    void activate();
    void showTip(const Cell& cell, QPoint at);

    std::shared_ptr<const Overview> m_overview;
    Layout m_layout;
    std::optional<Cell> m_selected;
    std::optional<Cell> m_hovered;
    std::uint64_t m_maxBytes = 1; // maximum over the roles
};

} // namespace gufo::ui
