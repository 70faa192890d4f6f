// The types of a planned file as a map of roles × blocks, coloured by bits per weight, with the tensors outside of
// blocks below and the types in use as a legend.
//
// Mouse: hovering shows a tensor. Keys: the arrows, Home and End move the selection, which screen readers announce.
#pragma once

#include "quantize/plan_file.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace gufo::ui {

class TypeMap : public QWidget {
    Q_OBJECT

public:
    explicit TypeMap(std::shared_ptr<const Model> model, QWidget* parent = nullptr);

    // `costs` may be null; the map shows the tensors that it lists.
    void setPlan(std::shared_ptr<const CostTable> costs, const QuantizePlan& plan);
    void clear();

    struct Cell {
        std::size_t row = 0;
        std::size_t column = 0;
        bool operator==(const Cell&) const = default;
    };
    [[nodiscard]] std::size_t rows() const { return m_rows.size(); }
    [[nodiscard]] std::size_t columns() const { return m_columns; }
    [[nodiscard]] QString roleOf(std::size_t row) const { return m_rows[row].role; }
    [[nodiscard]] QString typeAt(const Cell& cell) const; // empty if the block has no such tensor
    [[nodiscard]] QString describe(const Cell& cell) const;
    [[nodiscard]] QRect cellRect(const Cell& cell) const;
    // Of the types in the legend, each below or right of the one before, from the upper left corner of the legend.
    [[nodiscard]] std::vector<QPoint> legendPlaces(int width) const;
    [[nodiscard]] std::optional<Cell> selected() const { return m_selected; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Tensor {
        std::size_t index = 0; // of CostTable::tensors
        std::uint32_t typeId = 0;
        std::uint64_t bytes = 0;
    };
    struct Row {
        QString role;
        bool inBlocks = true;
        std::vector<std::optional<Tensor>> cells; // one for each block, or a single one
    };
    struct Used { // a type of the legend
        QString type;
        double bits = 0;
        std::size_t tensors = 0;
    };
    [[nodiscard]] const Tensor* tensorAt(const Cell& cell) const;
    [[nodiscard]] std::optional<Cell> cellAt(QPoint point) const;
    [[nodiscard]] double bitsOf(const Tensor& tensor) const;
    [[nodiscard]] int labelWidth() const;
    [[nodiscard]] int cellWidth() const;
    void select(const Cell& cell);
    void paintBlocks(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const CostTable> m_costs;
    std::vector<Row> m_rows;
    std::vector<Used> m_used; // the most bits first
    std::size_t m_columns = 0;
    std::optional<Cell> m_selected;
};

} // namespace gufo::ui
