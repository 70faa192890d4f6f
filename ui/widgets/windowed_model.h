// The base of table models whose rows are a window of a long list (RowWindow): tokens, merge rules and array elements.
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
    // The row of an item, switching to its page if necessary. Invalid if the item is not among those shown.
    [[nodiscard]] QModelIndex showItem(std::uint64_t item);
    [[nodiscard]] std::uint64_t itemOf(const QModelIndex& index) const { return m_window.item(index.row()); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    // A header asks for every cell of a large selection whenever it is painted, for which Qt's implementation takes too
    // long.
    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;

protected:
    // Call between beginResetModel() and endResetModel().
    void setItems(std::uint64_t items) { m_window = RowWindow(items); }

    // Replaces the contents, and perhaps the length, of the same list while rows keep their selection. `swap` installs
    // the new contents.
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
    void followed(); // emitted after followItems()

private:
    RowWindow m_window;
};

} // namespace gufo::ui
