// The map of blocks × roles, coloured by bits per weight, with the bytes of each role at its right and the tensors
// outside all blocks below. Wraps into bands where the blocks do not fit beside each other.
#pragma once

#include "ui/pages/overview/overview_data.h"

#include <QWidget>

namespace gufo::ui {

// The scale of the map's colours, 2 to 8.5 bits per weight, with a mark at each value that occurs.
class MapLegend : public QWidget {
    Q_OBJECT

public:
    explicit MapLegend(QWidget* parent = nullptr);
    void setOverview(const Overview& overview);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_marks;
    QString m_unquantised; // names of the types that have no place on the scale: "F32, F16"
};

class BlockMap : public QWidget {
    Q_OBJECT

public:
    explicit BlockMap(QWidget* parent = nullptr);
    void setOverview(std::shared_ptr<const Overview> overview);

    // A cell: of a panel, or (panel = panels.size()) a tensor outside all blocks, counted by `column`.
    struct Cell {
        int panel = 0;
        int row = 0;
        int column = 0;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] std::optional<Cell> selected() const { return m_selected; }
    void select(std::optional<Cell> cell);
    [[nodiscard]] std::optional<Cell> cellAt(QPoint point) const;
    [[nodiscard]] QRect cellRect(const Cell& cell) const; // without the gap
    [[nodiscard]] QString describe(const Cell& cell) const;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void tensorActivated(TensorIndex tensor); // clicked, or Return

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    // Some of a panel's blocks beside each other.
    struct Band {
        int panel = 0;
        int firstColumn = 0;
        int columns = 0;
        int top = 0;
        std::vector<int> rowTops; // and one past the last: where the block numbers stand
        bool last = false;        // of its panel: shows the bytes of the roles
        bool titled = false;      // the name of the panel stands above it
    };
    struct Layout {
        int labels = 0; // width of the role names
        int cell = 0;   // pitch of a column, gap included
        int bytes = 0;  // x of the bar of bytes
        int height = 0;
        std::vector<Band> bands;
        std::vector<QRect> loose; // swatch and text of each
        int looseTop = 0;
    };
    [[nodiscard]] Layout layOut(int width) const;
    [[nodiscard]] const MapCell* find(const Cell& cell) const;
    [[nodiscard]] Cell moved(const Cell& from, int key) const;
    [[nodiscard]] QColor colorOf(const MapCell& cell) const;
    void paintBand(QPainter& painter, const Band& band, const QRect& exposed) const;
    void paintLoose(QPainter& painter) const;
    void activate();
    void showTip(const Cell& cell, QPoint at);

    std::shared_ptr<const Overview> m_overview;
    Layout m_layout;
    std::optional<Cell> m_selected;
    std::optional<Cell> m_hovered;
    std::uint64_t m_mostBytes = 1; // of a role
};

} // namespace gufo::ui
