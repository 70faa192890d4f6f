#include "ui/widgets/windowed_model.h"

namespace gufo::ui {

void WindowedModel::setMatches(std::shared_ptr<const Matches> matches) {
    if (matches.get() == m_window.matches()) {
        return;
    }
    beginResetModel();
    m_window.setMatches(std::move(matches));
    endResetModel();
}

void WindowedModel::setPage(std::uint64_t page) {
    if (page == m_window.page() || page >= m_window.pages()) {
        return;
    }
    beginResetModel();
    m_window.setPage(page);
    endResetModel();
}

QModelIndex WindowedModel::showItem(std::uint64_t item) {
    const auto row = m_window.rowOf(item);
    if (!row) {
        return {};
    }
    setPage(m_window.pageOf(item));
    return index(*row, 0);
}

int WindowedModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_window.rows(); }

QModelIndex WindowedModel::index(int row, int column, const QModelIndex& parent) const {
    const bool exists = row >= 0 && row < m_window.rows() && column >= 0 && column < columnCount() && !parent.isValid();
    return exists ? createIndex(row, column) : QModelIndex();
}

} // namespace gufo::ui

#include "moc_windowed_model.cpp"
