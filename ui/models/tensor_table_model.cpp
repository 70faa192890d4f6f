#include "ui/models/tensor_table_model.h"

#include <algorithm>

namespace gufo::ui {

TensorTableModel::TensorTableModel(const TensorSummaries* summaries, QObject* parent)
    : QAbstractTableModel(parent) {
    connect(summaries, &TensorSummaries::ready, this, &TensorTableModel::summaryReady);
}

void TensorTableModel::setRows(std::shared_ptr<const TensorRows> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    refill();
    endResetModel();
}

void TensorTableModel::setFilter(TensorFilter filter) {
    beginResetModel();
    m_filter = std::move(filter);
    refill();
    endResetModel();
}

void TensorTableModel::refill() {
    m_shown.clear();
    for (std::size_t i = 0; m_rows != nullptr && i < m_rows->count(); ++i) {
        const TensorIndex tensor(i);
        if (m_filter.matches(m_rows->info(tensor), m_rows->name(tensor))) {
            m_shown.push_back(tensor);
        }
    }
    reorder();
}

void TensorTableModel::reorder() {
    if (m_rows == nullptr) {
        return;
    }
    std::ranges::sort(m_shown);
    if (m_sortColumn >= 0) {
        const auto column = static_cast<TensorColumn>(m_sortColumn);
        const bool ascending = m_sortOrder == Qt::AscendingOrder;
        std::ranges::stable_sort(m_shown, [&](TensorIndex a, TensorIndex b) {
            const int order = m_rows->compare(a, b, column);
            return ascending ? order < 0 : order > 0;
        });
    }
    m_rowOf.assign(m_rows->count(), -1);
    for (std::size_t row = 0; row < m_shown.size(); ++row) {
        m_rowOf[m_shown[row].value] = static_cast<int>(row);
    }
}

int TensorTableModel::rowOf(TensorIndex tensor) const {
    return tensor.value < m_rowOf.size() ? m_rowOf[tensor.value] : -1;
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kTensorColumns; }

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto row = static_cast<std::size_t>(index.row());
    if (role == kGroupStartRole) {
        return m_sortColumn < 0 && row > 0 &&
               m_rows->parsed(m_shown[row]).block != m_rows->parsed(m_shown[row - 1]).block;
    }
    return m_rows->data(m_shown[row], static_cast<TensorColumn>(index.column()), role);
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kTensorColumns) {
        return {};
    }
    const auto column = static_cast<TensorColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return tensorColumnTitle(column);
    case Qt::ToolTipRole:
        return tensorColumnToolTip(column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

void TensorTableModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<TensorIndex> tensors;
    for (const QModelIndex& index : before) {
        tensors.push_back(m_shown[static_cast<std::size_t>(index.row())]);
    }
    m_sortColumn = column < kTensorColumns ? column : -1;
    m_sortOrder = order;
    reorder();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << index(rowOf(tensors[static_cast<std::size_t>(i)]), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void TensorTableModel::summaryReady(TensorIndex tensor) {
    if (const int row = rowOf(tensor); row >= 0) {
        emit dataChanged(index(row, static_cast<int>(TensorColumn::Sigma)),
                         index(row, static_cast<int>(TensorColumn::Distribution)));
    }
}

} // namespace gufo::ui
