// How often each expert was used while an importance matrix was collected: a row for each tensor with several matrices,
// a column for each matrix. Experts that were never used are marked.
#pragma once

#include "quantize/imatrix_coverage.h"

#include <QImage>
#include <QWidget>

#include <optional>

namespace gufo::ui {

class ExpertMap : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMaxRows = 512;

    explicit ExpertMap(QWidget* parent = nullptr);
    // Keeps the first kMaxRows tensors with several matrices.
    void setEntries(const std::vector<ImatrixRow>& entries);
    [[nodiscard]] bool isEmpty() const { return m_entries.empty(); }
    // What a tooltip says at a position; empty outside of the cells.
    [[nodiscard]] QString describe(QPoint at) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, rowHeight() * rows()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tooltips

private:
    struct Cell {
        std::size_t row;
        std::size_t expert;
    };
    [[nodiscard]] std::optional<Cell> cellAt(QPoint at) const;
    [[nodiscard]] int rows() const { return static_cast<int>(m_entries.size()); }
    [[nodiscard]] int rowHeight() const;
    void drawImage();

    std::vector<ImatrixRow> m_entries;
    std::size_t m_experts = 0; // of the tensor with the most
    QImage m_image;            // a pixel for each cell
};

} // namespace gufo::ui
