#include "ui/pages/bytes/field_model.h"

#include "ui/messages/field_text.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/bytes/hex_view.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace gufo::ui {

void FieldModel::setFields(std::vector<ByteField> fields, std::uint64_t fileBytes) {
    beginResetModel();
    m_fields = std::move(fields);
    m_fileBytes = fileBytes;
    endResetModel();
}

int FieldModel::rowOf(std::uint64_t offset) const {
    const auto after =
        std::ranges::upper_bound(m_fields, offset, {}, [](const ByteField& field) { return field.range.offset; });
    if (after == m_fields.begin()) {
        return -1;
    }
    const ByteRange range = std::prev(after)->range;
    return offset < range.offset + range.length ? static_cast<int>(after - m_fields.begin()) - 1 : -1;
}

int FieldModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_fields.size());
}

int FieldModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant FieldModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const ByteField& field = m_fields[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        switch (index.column()) {
        case Offset:
            return QString::number(field.range.offset);
        case Field:
            return fieldNameText(field);
        case Owner:
            return displayText(field.of);
        case Type:
            return displayText(field.type);
        default:
            return fieldValueText(field);
        }
    case Qt::ToolTipRole:
        return plainToolTip(field.damage != nullptr        ? fieldText(field) + u'\n' + damageText(*field.damage)
                            : index.column() == FieldValue ? fieldValueText(field)
                                                           : fieldText(field));
    case Qt::BackgroundRole:
        return index.column() == Offset ? QVariant(fieldFill(fieldColorOf(field, m_fileBytes))) : QVariant();
    case Qt::FontRole:
        return index.column() == Offset || index.column() == FieldValue ? QVariant(themeFont(TextStyle::Mono))
                                                                        : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Offset ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                        : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant FieldModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return section == Offset ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                 : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Offset:
        return tr("Offset");
    case Field:
        return tr("Field");
    case Owner:
        return tr("Of");
    case Type:
        return tr("Type");
    case FieldValue:
        return tr("Value");
    default:
        return {};
    }
}

} // namespace gufo::ui

#include "moc_field_model.cpp"
