// The map of blocks × tokens of a compared file, with a choice of the file and of the figure, and what the map says in
// a line: where the states are farthest apart, whether they come together again, and where the routers part.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/plots/plot_export.h"
#include "ui/report/behaviour.h"
#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QWidget>

#include <memory>
#include <optional>

namespace gufo::ui {

// What colours the map.
enum class LayerFigure : std::uint8_t { Distance, Angle, Experts };

// Shows how far the states of a file are from the reference's states after each block, for each token of a text: where
// they part, and whether they come together again.
//
// Mouse: hovering shows figures, a click chooses a block and a token, a right click asks for the menu of the block.
// Keys: arrows, Home and End move, Return chooses.
class LayerMap : public QWidget {
    Q_OBJECT

public:
    struct Cell {
        std::size_t block = 0;
        std::size_t token = 0;
        bool operator==(const Cell&) const = default;
    };

    explicit LayerMap(QWidget* parent = nullptr);

    void setBehaviour(std::shared_ptr<const Behaviour> behaviour, LayerFigure figure);
    void setColorMap(ColorMap map);
    [[nodiscard]] std::size_t blocks() const;
    [[nodiscard]] std::size_t tokens() const;
    // Empty where a block has no experts.
    [[nodiscard]] std::optional<double> figureAt(const Cell& cell) const;
    [[nodiscard]] QString describe(const Cell& cell) const;
    [[nodiscard]] std::optional<Cell> cellAt(QPointF point) const;
    [[nodiscard]] QRectF cellRect(const Cell& cell) const;
    [[nodiscard]] std::optional<Cell> selected() const { return m_selected; }
    [[nodiscard]] const NumberScale& scale() const { return m_scale; }
    [[nodiscard]] QSize sizeHint() const override { return {640, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 110}; }
    // Draws the map without a selection, for export.
    void draw(QPainter& painter, QSize size) const;

signals:
    void blockChosen(std::size_t block);
    void menuRequested(std::size_t block, QPoint globalPos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Places; // where the parts of the map are in a size
    [[nodiscard]] Places placesIn(QSize size) const;
    [[nodiscard]] QColor colorOf(double figure) const;
    void fitScale();
    void select(const Cell& cell);
    void drawCells(QPainter& painter, const Places& places) const;
    void drawAxes(QPainter& painter, const Places& places) const;
    void drawLegend(QPainter& painter, const Places& places) const;

    std::shared_ptr<const Behaviour> m_behaviour;
    LayerFigure m_figure = LayerFigure::Distance;
    NumberScale m_scale;
    ColorMap m_colorMap = ColorMap::Viridis;
    std::optional<Cell> m_selected;
};

class ElidedLabel;

class LayerView : public QWidget {
    Q_OBJECT

public:
    explicit LayerView(const Comparison& comparison, QWidget* parent = nullptr);
    void refresh(); // after figures or files have changed
    [[nodiscard]] LayerMap& map() const { return *m_map; }
    [[nodiscard]] std::optional<std::size_t> file() const; // nothing if none was measured
    [[nodiscard]] QString summary() const;
    [[nodiscard]] Picture picture() const;
    [[nodiscard]] QString csv() const;

signals:
    void blockChosen(std::size_t block, std::size_t file);
    void menuRequested(std::size_t block, QPoint globalPos);

private:
    void showChosen();

    const Comparison& m_comparison;
    QComboBox* m_file;
    QComboBox* m_figure;
    ElidedLabel* m_summary;
    LayerMap* m_map;
};

} // namespace gufo::ui
