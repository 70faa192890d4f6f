#include "ui/pages/tensors/models/tensor_table_model.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include <algorithm>

namespace gufo::ui {
namespace {

const QString kRowsMimeType = QStringLiteral("application/x-gufo-tensor-rows"); // accepted from this table only

} // namespace

TensorTableModel::TensorTableModel(const TensorSummaries* summaries, QObject* parent)
    : QAbstractTableModel(parent)
    , m_summaries(summaries) {
    connect(summaries, &TensorSummaries::ready, this, &TensorTableModel::summaryReady);
}

TensorOrder TensorTableModel::order() const {
    return {.rows = m_rows,
            .filter = m_filter,
            .column = m_sortColumn,
            .ascending = m_sortOrder == Qt::AscendingOrder,
            .deviations = showsWeights(m_sortColumn) ? m_summaries->deviations(m_rows->count())
                                                     : std::vector<std::optional<double>>()};
}

void TensorTableModel::setShown(std::vector<TensorIndex> shown) {
    m_shown = std::move(shown);
    m_rowOf.assign(m_rows != nullptr ? m_rows->count() : 0, -1);
    for (std::size_t row = 0; row < m_shown.size(); ++row) {
        m_rowOf[m_shown[row].value] = static_cast<int>(row);
    }
}

// To be called between the signals of a change.
void TensorTableModel::arrange() {
    m_job.cancel();
    if (m_rows == nullptr) {
        setShown({});
        return;
    }
    setShown(*order().find());
}

template<typename To>
void TensorTableModel::replaceRows(const To& to, std::vector<TensorIndex> now) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::optional<TensorIndex>> held;
    for (const QModelIndex& index : before) {
        held.push_back(to(m_shown[static_cast<std::size_t>(index.row())]));
    }
    setShown(std::move(now));
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto& tensor = held[static_cast<std::size_t>(i)];
        after << (tensor ? index(rowOf(*tensor), before[i].column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void TensorTableModel::startArranging() {
    m_job.cancel();
    const auto take = [this](std::vector<TensorIndex> shown) {
        if (shown.size() == m_shown.size()) {
            replaceRows([](TensorIndex tensor) { return std::optional(tensor); }, std::move(shown));
        } else {
            beginResetModel();
            setShown(std::move(shown));
            endResetModel();
        }
        emit arranged();
    };
    if (TensorOrder wanted = order(); wanted.isFileOrder()) {
        take(*wanted.find());
    } else {
        m_job.start<std::vector<TensorIndex>>(
            [wanted = std::move(wanted)](const JobContext& job) { return wanted.find(job); },
            [take](Result<std::vector<TensorIndex>> shown) {
                if (shown) {
                    take(std::move(*shown));
                }
            });
    }
}

void TensorTableModel::setRows(std::shared_ptr<const TensorRows> rows) {
    m_job.cancel();
    beginResetModel();
    m_rows = std::move(rows);
    if (m_rows != nullptr && m_rows->areMany()) {
        setShown(*TensorOrder{.rows = m_rows}.find());
    } else {
        arrange();
    }
    endResetModel();
    if (m_rows != nullptr && m_rows->areMany() && !order().isFileOrder()) {
        startArranging();
    }
}

void TensorTableModel::follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves) {
    m_job.cancel();
    const auto to = [&](TensorIndex tensor) { return moves[tensor.value].to; };
    m_rows = std::move(rows);
    if (!m_rows->areMany()) {
        replaceRows(to, *order().find());
        return;
    }
    TensorOrder wanted = order();
    if (wanted.isFileOrder()) {
        replaceRows(to, *wanted.find());
        return;
    }
    std::vector<TensorIndex> now; // the rows of before, until the job has arranged all
    for (const TensorIndex tensor : m_shown) {
        if (const auto kept = to(tensor)) {
            now.push_back(*kept);
        }
    }
    replaceRows(to, std::move(now));
    startArranging();
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
    auto* data = new QMimeData; // the view takes ownership
    data->setData(kRowsMimeType, bytes);
    return data;
}

bool TensorTableModel::canDropMimeData(const QMimeData* data, Qt::DropAction action, int, int,
                                       const QModelIndex& parent) const {
    return m_editable && isInFileOrder() && action == Qt::MoveAction && !parent.isValid() &&
           data->hasFormat(kRowsMimeType);
}

// The document moves the rows. Returning false keeps the view from removing them.
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

void TensorTableModel::setFilter(text::TensorFilter filter) {
    m_filter = std::move(filter);
    if (m_rows != nullptr && m_rows->areMany()) {
        startArranging();
        return;
    }
    beginResetModel();
    arrange();
    endResetModel();
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
    return tensorColumnHeader(section, orientation, role);
}

void TensorTableModel::sort(int column, Qt::SortOrder order) {
    m_sortColumn = column < kTensorColumns ? column : -1;
    m_sortOrder = order;
    if (m_rows == nullptr) {
        return;
    }
    if (m_rows->areMany()) {
        startArranging();
    } else {
        replaceRows([](TensorIndex tensor) { return std::optional(tensor); }, *this->order().find());
    }
}

void TensorTableModel::summaryReady(TensorIndex tensor) {
    if (const int row = rowOf(tensor); row >= 0) {
        // Views repaint themselves whole for several cells, but nothing for a cell out of sight.
        for (const TensorColumn column : {TensorColumn::Sigma, TensorColumn::Distribution}) {
            const QModelIndex cell = index(row, static_cast<int>(column));
            emit dataChanged(cell, cell);
        }
    }
}

} // namespace gufo::ui

#include "moc_tensor_table_model.cpp"
