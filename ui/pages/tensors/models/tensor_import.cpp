#include "ui/pages/tensors/models/tensor_import.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace gufo::ui {

TensorImportModel::TensorImportModel(std::shared_ptr<const Model> into, QObject* parent)
    : QAbstractTableModel(parent)
    , m_into(std::move(into)) {}

void TensorImportModel::setSource(std::shared_ptr<const Model> from) {
    beginResetModel();
    m_from = std::move(from);
    m_taken.assign(m_from ? m_from->tensors.size() : 0, false);
    endResetModel();
}

void TensorImportModel::setTaken(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto tensor = m_from ? m_from->findTensor(name) : std::nullopt;
        if (tensor && mayBeTaken(*tensor)) {
            m_taken[tensor->value] = true;
            emit dataChanged(index(static_cast<int>(tensor->value), 0), index(static_cast<int>(tensor->value), 0));
        }
    }
}

void TensorImportModel::setOtherShapes(bool allowed) {
    m_otherShapes = allowed;
    for (std::size_t i = 0; i < m_taken.size(); ++i) {
        m_taken[i] = m_taken[i] && mayBeTaken(TensorIndex(i));
    }
    if (rowCount() != 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

TensorImportModel::Status TensorImportModel::status(TensorIndex tensor) const {
    const TensorInfo& info = m_from->tensor(tensor);
    const bool first = m_from->findTensor(info.name) == tensor;
    if (!first || !info.complete() || info.type() == nullptr || m_from->sourceOf(info) == nullptr) {
        return Status::Refused;
    }
    const auto existing = m_into->findTensor(info.name);
    if (!existing) {
        return Status::New;
    }
    const TensorInfo& now = m_into->tensor(*existing);
    return m_into->sourceOf(now) == m_from->sourceOf(info) && now.offset == info.offset ? Status::Same
           : now.shape == info.shape                                                    ? Status::Replaces
                                                                                        : Status::OtherShape;
}

bool TensorImportModel::mayBeTaken(TensorIndex tensor) const {
    switch (status(tensor)) {
    case Status::New:
    case Status::Replaces:
        return true;
    case Status::OtherShape:
        return m_otherShapes;
    case Status::Same:
    case Status::Refused:
        break;
    }
    return false;
}

std::size_t TensorImportModel::taken() const { return static_cast<std::size_t>(std::ranges::count(m_taken, true)); }

std::vector<Change> TensorImportModel::changes() const {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < m_taken.size(); ++i) {
        if (m_taken[i]) {
            const std::string name(m_from->tensors[i].name);
            changes.emplace_back(ImportTensor{.from = m_from,
                                              .name = name,
                                              .newName = name,
                                              .position = {},
                                              .replace = m_into->findTensor(name).has_value()});
        }
    }
    return changes;
}

int TensorImportModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_taken.size());
}

int TensorImportModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString TensorImportModel::text(TensorIndex tensor, int column) const {
    const TensorInfo& info = m_from->tensor(tensor);
    switch (column) {
    case Name:
        return displayText(info.name);
    case Type:
        return QString::fromStdString(info.typeName());
    case Shape:
        return formatShape(info.shape);
    case Existing: {
        const auto existing = m_into->findTensor(info.name);
        return existing ? QStringLiteral("%1  %2").arg(QString::fromStdString(m_into->tensor(*existing).typeName()),
                                                       formatShape(m_into->tensor(*existing).shape))
                        : QString();
    }
    default:
        break;
    }
    switch (status(tensor)) {
    case Status::New:
        return tr("added");
    case Status::Replaces:
        return tr("replaces");
    case Status::OtherShape:
        return tr("another shape");
    case Status::Same:
        return tr("the same");
    case Status::Refused:
        break;
    }
    return !info.complete()         ? tr("incomplete in its file")
           : info.type() == nullptr ? tr("has an unknown type")
                                    : tr("cannot be read");
}

QVariant TensorImportModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TensorIndex tensor(static_cast<std::size_t>(index.row()));
    switch (role) {
    case Qt::DisplayRole:
        return text(tensor, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(text(tensor, index.column()));
    case Qt::CheckStateRole:
        return index.column() == Name ? QVariant(static_cast<int>(m_taken[tensor.value] ? Qt::Checked : Qt::Unchecked))
                                      : QVariant();
    case Qt::FontRole:
        return index.column() == Name ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Effect && status(tensor) == Status::OtherShape
                   ? QVariant(themeColor(Token::WarningText))
               : index.column() == Effect && status(tensor) == Status::Refused ? QVariant(themeColor(Token::ErrorText))
               : mayBeTaken(tensor)                                            ? QVariant()
                                                                               : QVariant(themeColor(Token::Muted));
    default:
        return {};
    }
}

QVariant TensorImportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    }
    const QStringList titles{tr("Tensor"), tr("Type"), tr("Shape"), tr("Here"), tr("Effect")};
    return role == Qt::DisplayRole ? QVariant(titles[section]) : QVariant();
}

Qt::ItemFlags TensorImportModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Name && mayBeTaken(TensorIndex(static_cast<std::size_t>(index.row())))
               ? flags | Qt::ItemIsUserCheckable
               : flags;
}

bool TensorImportModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || role != Qt::CheckStateRole || !flags(index).testFlag(Qt::ItemIsUserCheckable)) {
        return false;
    }
    m_taken[static_cast<std::size_t>(index.row())] = value.toInt() == Qt::Checked;
    emit dataChanged(index, index, {Qt::CheckStateRole});
    return true;
}

} // namespace gufo::ui

#include "moc_tensor_import.cpp"
