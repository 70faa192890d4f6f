// A table whose rows are a window of a long list (RowWindow). What is common to tokens, merge rules and array elements.
#pragma once

#include "ui/models/row_window.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class WindowedModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] const RowWindow& window() const { return m_window; }
    void setMatches(std::shared_ptr<const Matches> matches); // null: all items
    void setPage(std::uint64_t page);
    // The row of an item, turning to its page if need be; invalid if the item is not among what is shown.
    [[nodiscard]] QModelIndex showItem(std::uint64_t item);
    [[nodiscard]] std::uint64_t itemOf(const QModelIndex& index) const { return m_window.item(index.row()); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    // Between beginResetModel() and endResetModel().
    void setItems(std::uint64_t items) { m_window = RowWindow(items); }

private:
    RowWindow m_window;
};

} // namespace gufo::ui
