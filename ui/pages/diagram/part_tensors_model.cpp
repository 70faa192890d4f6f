#include "ui/pages/diagram/part_tensors_model.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"

namespace gufo::ui {

void PartTensorsModel::setTensors(std::shared_ptr<const Model> model, std::vector<TensorIndex> tensors) {
    beginResetModel();
    m_model = std::move(model);
    m_tensors = std::move(tensors);
    endResetModel();
}

int PartTensorsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_tensors.size());
}

int PartTensorsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant PartTensorsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const TensorInfo& tensor = m_model->tensor(m_tensors[static_cast<std::size_t>(index.row())]);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case Name:
            return displayText(tensor.name);
        case Type:
            return displayText(tensor.typeName());
        case Shape:
            return formatShape(tensor.shape);
        default:
            return tensor.bytes ? formatBytes(*tensor.bytes) : tr("not known");
        }
    case Qt::ToolTipRole:
        return plainToolTip(QStringLiteral("%1\n%2, %3, %4")
                                .arg(displayText(tensor.name), displayText(tensor.typeName()),
                                     formatShape(tensor.shape),
                                     tensor.bytes ? formatBytes(*tensor.bytes) : tr("not known")));
    case kExactRole:
        return index.column() == Size && tensor.bytes ? QVariant(QString::number(*tensor.bytes)) : QVariant();
    case Qt::FontRole:
        return index.column() == Name ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() >= Shape ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant PartTensorsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return section >= Shape ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Name:
        return tr("Tensor");
    case Type:
        return tr("Type");
    case Shape:
        return tr("Shape");
    case Size:
        return tr("Size");
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_part_tensors_model.cpp"
