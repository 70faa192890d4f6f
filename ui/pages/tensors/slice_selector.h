// Selects the matrix to show of a tensor with three or more dimensions: the dimension of the rows, and an index in each
// other one. Hidden for matrices and vectors.
#pragma once

#include "analysis/slice.h"
#include "model/tensor_info.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;

namespace gufo::ui {

class IndexField;

class SliceSelector : public QWidget {
    Q_OBJECT

public:
    explicit SliceSelector(QWidget* parent = nullptr);
    void setShape(const Shape& shape); // initially rows along dims[1], and index 0 of the others

    // The dimension and the indices; the range of the request is not set.
    [[nodiscard]] const SliceRequest& matrix() const { return m_matrix; }
    void setFixed(const std::array<std::uint64_t, Shape::kMaxDimensions>& fixed);

signals:
    void changed(); // by the user

private:
    void rebuild();

    Shape m_shape;
    SliceRequest m_matrix;
    QHBoxLayout* m_layout;
    QComboBox* m_rowDimension = nullptr;
    std::array<IndexField*, Shape::kMaxDimensions> m_fields{};
};

} // namespace gufo::ui
