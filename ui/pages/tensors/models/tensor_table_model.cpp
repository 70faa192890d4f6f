#include "ui/pages/tensors/models/tensor_table_model.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include <algorithm>

namespace gufo::ui {
namespace {

const QString kRowsMimeType = QStringLiteral("application/x-gufo-tensor-rows"); // of this table only

} // namespace

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

void TensorTableModel::follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves) {
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::optional<TensorIndex>> held;
    for (const QModelIndex& index : before) {
        held.push_back(moves[m_shown[static_cast<std::size_t>(index.row())].value].to);
    }
    m_rows = std::move(rows);
    refill();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto& tensor = held[static_cast<std::size_t>(i)];
        after << (tensor ? index(rowOf(*tensor), before[i].column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

bool TensorTableModel::isInFileOrder() const {
    return m_sortColumn < 0 && m_rows != nullptr && m_shown.size() == m_rows->count();
}

Qt::ItemFlags TensorTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!m_editable) {
        return flags;
    }
    if (!index.isValid()) {
        return flags | (isInFileOrder() ? Qt::ItemIsDropEnabled : Qt::NoItemFlags);
    }
    if (index.column() == static_cast<int>(TensorColumn::Name)) {
        flags |= Qt::ItemIsEditable;
    }
    return isInFileOrder() ? flags | Qt::ItemIsDragEnabled : flags;
}

bool TensorTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::EditRole || !flags(index).testFlag(Qt::ItemIsEditable)) {
        return false;
    }
    const TensorIndex tensor = m_shown[static_cast<std::size_t>(index.row())];
    if (value.toString() != m_rows->name(tensor)) {
        emit renameWanted(tensor, value.toString());
    }
    return true;
}

QStringList TensorTableModel::mimeTypes() const { return {kRowsMimeType}; }

QMimeData* TensorTableModel::mimeData(const QModelIndexList& indexes) const {
    QList<uint> tensors;
    for (const QModelIndex& index : indexes) {
        if (index.column() == static_cast<int>(TensorColumn::Name)) {
            tensors << m_shown[static_cast<std::size_t>(index.row())].value;
        }
    }
    std::ranges::sort(tensors);
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << reinterpret_cast<quintptr>(this) << tensors;
    auto* data = new QMimeData; // the view takes it over
    data->setData(kRowsMimeType, bytes);
    return data;
}

bool TensorTableModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int,
                                       const QModelIndex& parent) const {
    return m_editable && isInFileOrder() && action == Qt::MoveAction && !parent.isValid() &&
           data->hasFormat(kRowsMimeType);
}

// The document moves them; the view must not remove rows by itself, hence false.
bool TensorTableModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                                    const QModelIndex& parent) {
    if (!canDropMimeData(data, action, row, column, parent)) {
        return false;
    }
    QDataStream stream(data->data(kRowsMimeType));
    quintptr from = 0;
    QList<uint> tensors;
    stream >> from >> tensors;
    if (from == reinterpret_cast<quintptr>(this)) {
        emit moveWanted(tensors, row < 0 ? rowCount() : row);
    }
    return false;
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
