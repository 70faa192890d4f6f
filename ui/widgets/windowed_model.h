// A table whose rows are a window of a long list (RowWindow). What is common to tokens, merge rules and array elements.
#pragma once

#include "ui/widgets/row_window.h"

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

    // Other contents, and perhaps another length, of what is the same list: rows keep their selection. `swap` puts them
    // in place.
    template<typename Swap>
    void followItems(std::uint64_t items, const Swap& swap) {
        RowWindow next = m_window;
        next.setItems(items);
        const int before = m_window.rows();
        const int after = next.rows();
        if (after < before) {
            beginRemoveRows({}, after, before - 1);
        } else if (after > before) {
            beginInsertRows({}, before, after - 1);
        }
        m_window = std::move(next);
        swap();
        if (after < before) {
            endRemoveRows();
        } else if (after > before) {
            endInsertRows();
        }
        if (after > 0) {
            emit dataChanged(index(0, 0), index(after - 1, columnCount() - 1));
        }
        emit followed();
    }

signals:
    void followed(); // followItems() is done

private:
    RowWindow m_window;
};

} // namespace gufo::ui
