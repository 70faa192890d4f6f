// The types of a planned file as a map of roles × blocks, coloured by bits per weight, with the tensors outside of
// blocks and the types in use as a legend below.
#pragma once

#include "quantize/plan_file.h"
#include "ui/widgets/block_grid.h"

#include <memory>

namespace gufo::ui {

class TypeMap : public BlockGrid {
    Q_OBJECT

public:
    explicit TypeMap(std::shared_ptr<const Model> model, QWidget* parent = nullptr);

    // `costs` may be null; the map shows the tensors that it lists.
    void setPlan(std::shared_ptr<const CostTable> costs, const QuantizePlan& plan);
    void clear();

    [[nodiscard]] std::size_t rows() const { return m_rows.size(); }
    [[nodiscard]] std::size_t columns() const { return m_blocks.size(); }
    [[nodiscard]] QString roleOf(std::size_t row) const { return m_rows[row].role; }
    [[nodiscard]] QString typeAt(const Cell& cell) const; // empty if the block has no such tensor
    [[nodiscard]] QString describe(const Cell& cell) const override;
    // Of the types in the legend, each below or right of the one before, from the upper left corner of the legend.
    [[nodiscard]] std::vector<QPoint> legendPlaces(int width) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    [[nodiscard]] Layout layOut(int width) const override;
    void activate(const Cell&) override {} // a click selects

private:
    struct Tensor {
        std::size_t index = 0; // of CostTable::tensors
        std::uint32_t typeId = 0;
        std::uint64_t bytes = 0;
    };
    struct Row {
        QString role;
        bool startsGroup = false;
        std::vector<std::optional<Tensor>> cells; // one for each block
    };
    struct Loose { // outside of blocks
        QString role;
        Tensor tensor;
    };
    struct Used { // a type of the legend
        QString type;
        double bits = 0;
        std::size_t tensors = 0;
    };
    [[nodiscard]] const Tensor* tensorAt(const Cell& cell) const;
    [[nodiscard]] double bitsOf(const Tensor& tensor) const;
    void count(const Tensor& tensor);
    void paintBand(QPainter& painter, const Band& band, const QRect& exposed) const;
    void paintLoose(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const CostTable> m_costs;
    std::vector<Row> m_rows;
    std::vector<Loose> m_loose;
    std::vector<Used> m_used;            // the most bits first
    std::vector<std::uint32_t> m_blocks; // the number of each column
};

} // namespace gufo::ui
