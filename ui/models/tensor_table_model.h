// The tensors as a flat table: filtered, sorted by a column or in file order. Rows are indices; nothing is copied.
#pragma once

#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_rows.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit TensorTableModel(const TensorSummaries* summaries, QObject* parent = nullptr);
    void setRows(std::shared_ptr<const TensorRows> rows);
    void setFilter(TensorFilter filter);

    // The tensors shown, in their order.
    [[nodiscard]] const std::vector<TensorIndex>& tensors() const { return m_shown; }
    [[nodiscard]] int rowOf(TensorIndex tensor) const; // −1: filtered away

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; // −1: file order

private:
    void refill();
    void reorder();
    void summaryReady(TensorIndex tensor);

    std::shared_ptr<const TensorRows> m_rows;
    TensorFilter m_filter;
    std::vector<TensorIndex> m_shown;
    std::vector<int> m_rowOf; // by tensor; −1
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace gufo::ui
