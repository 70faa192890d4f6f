// The value grid with fields for row and column, decimal or hexadecimal format, and an explanation of the current
// weight.
#pragma once

#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/value_grid.h"

#include <QPointer>

namespace gufo::ui {

class BlockLine;
class IndexField;
class SegmentedControl;

class ValuesSection : public QWidget {
    Q_OBJECT

public:
    explicit ValuesSection(QWidget* parent = nullptr);

    // Shows a matrix of a tensor. The range of `matrix` is ignored.
    void setTensor(std::shared_ptr<const Model> model, TensorIndex tensor, const SliceRequest& matrix);
    // Shows the encoded bytes of a tensor that cannot be decoded, 16 per row.
    void setBytes(std::shared_ptr<const Model> model, TensorIndex tensor);
    void reset();
    void setDeviation(std::optional<double> std); // determines the number of decimals

    void setCurrent(std::uint64_t row, std::uint64_t column);
    [[nodiscard]] ValueGrid& grid() { return *m_grid; }
    [[nodiscard]] const ValueGrid& grid() const { return *m_grid; }
    [[nodiscard]] BlockLine& explanation() { return *m_explanation; }
    void setHex(bool hex);

signals:
    void currentChanged(std::uint64_t row, std::uint64_t column);
    void windowChanged();
    void failed(const gufo::Error& error);

private:
    void currentCellChanged(std::uint64_t row, std::uint64_t column);
    void explain();
    void setFieldCounts();
    void fitCells();

    std::shared_ptr<const Model> m_model;
    TensorIndex m_tensor{};
    SliceRequest m_matrix;
    bool m_bytes = false;
    bool m_hex = false;
    std::optional<double> m_std;
    LatestJob m_job{this};

    QLabel* m_title;
    IndexField* m_row;
    IndexField* m_column;
    SegmentedControl* m_base;
    ValueGrid* m_grid;
    BlockLine* m_explanation;
};

} // namespace gufo::ui
