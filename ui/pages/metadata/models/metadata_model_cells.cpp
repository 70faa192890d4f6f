// The cells of the metadata model: what they show, and how they are edited.
#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/pages/metadata/models/metadata_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"
#include "ui/widgets/value_delegate.h"

#include <QCoreApplication>
#include <QFont>

#include <algorithm>

namespace gufo::ui {
namespace {

QString differenceText(const Difference& difference, std::string_view architecture) {
    QStringList parts;
    if (difference.added) {
        parts << QCoreApplication::translate("gufo::ui::MetadataModel", "Added; not in the file");
    }
    if (difference.renamed) {
        parts << QCoreApplication::translate("gufo::ui::MetadataModel", "Was called %1")
                     .arg(headText(difference.oldName, 200));
    }
    if (difference.changed && difference.before) {
        parts << QCoreApplication::translate("gufo::ui::MetadataModel", "Was: %1 (%2)")
                     .arg(valueText(difference.oldName, *difference.before, architecture),
                          formatValueType(*difference.before));
    }
    if (difference.moved) {
        parts << QCoreApplication::translate("gufo::ui::MetadataModel", "Moved to another place");
    }
    return parts.join(u'\n');
}

// "2 elements changed", "3 added".
QString arrayChangeText(const Difference::ArrayChange& change) {
    QStringList parts;
    if (change.changed != 0) {
        parts << (QCoreApplication::translate("gufo::ui::MetadataModel", "%n elements changed", nullptr,
                                              numerus(change.changed)));
    }
    if (change.inserted != 0) {
        parts << QCoreApplication::translate("gufo::ui::MetadataModel", "%1 added").arg(formatCount(change.inserted));
    }
    if (change.removed != 0) {
        parts << QCoreApplication::translate("gufo::ui::MetadataModel", "%1 removed").arg(formatCount(change.removed));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

std::optional<std::uint64_t> MetadataModel::chipToken(const KeyTree::Node& node) const {
    if (node.kv == KeyTree::kNone || !m_vocabulary || !isTokenIdKey(node.prefix)) {
        return std::nullopt;
    }
    const auto id = asUInt(m_model->metadata[KvIndex(node.kv)].value);
    return id && *id < m_vocabulary->size() ? id : std::nullopt;
}

QVariant MetadataModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const KeyTree::Node& node = m_tree->nodes[nodeOf(index)];
    switch (role) {
    case Qt::ToolTipRole:
        return toolTip(index);
    case Qt::DisplayRole:
        return text(node, index.column());
    case Qt::FontRole: {
        const bool mono = index.column() == Key || index.column() == Value;
        if (node.isGone()) {
            QFont font = themeFont(mono ? TextStyle::Mono : TextStyle::Table);
            font.setStrikeOut(true);
            return font;
        }
        return mono ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    }
    case Qt::ForegroundRole:
        return node.isGone() || index.column() == Type || index.column() == Meaning ? QVariant(themeColor(Token::Muted))
                                                                                    : QVariant();
    case PrefixRole:
        return QByteArray(node.prefix.data(), static_cast<qsizetype>(node.prefix.size()));
    case Qt::AccessibleTextRole:
    case ChipTextRole:
    case ChipKindRole:
        if (role == Qt::AccessibleTextRole && node.isGone()) {
            return tr("%1, deleted").arg(text(node, index.column()));
        }
        return index.column() == Value          ? chip(node, role)
               : role == Qt::AccessibleTextRole ? QVariant(text(node, index.column()))
                                                : QVariant();
    default:
        return node.isGone()    ? (role == kChangedRole ? QVariant(true) : QVariant())
               : node.isGroup() ? QVariant()
                                : editing(index, role);
    }
}

QVariant MetadataModel::chip(const KeyTree::Node& node, int role) const {
    const auto token = chipToken(node);
    if (role == Qt::AccessibleTextRole) {
        const QString plain = text(node, Value);
        return token ? plain + u' ' + headText(m_vocabulary->text(*token), 80) : plain;
    }
    if (!token) {
        return {};
    }
    const auto type = m_vocabulary->type(*token);
    const ChipKind kind = type == static_cast<std::int64_t>(TokenType::Control)       ? ChipKind::Control
                          : type == static_cast<std::int64_t>(TokenType::UserDefined) ? ChipKind::UserDefined
                                                                                      : ChipKind::Normal;
    return role == ChipTextRole ? QVariant(headText(m_vocabulary->text(*token), 80)) : QVariant(static_cast<int>(kind));
}

QVariant MetadataModel::editing(const QModelIndex& index, int role) const {
    const KeyValue& key = *entry(index);
    const Difference* changed = nullptr;
    switch (role) {
    case kChangedRole:
        return difference(index) != nullptr;
    case kAddedRole:
        changed = difference(index);
        return changed != nullptr && changed->added;
    case kBeforeTextRole:
        changed = index.column() == Value ? difference(index) : nullptr;
        return changed != nullptr && changed->changed && changed->before && asArray(*changed->before) == nullptr &&
                       asArray(key.value) == nullptr
                   ? QVariant(valueText(key.key, *changed->before, m_model->metadata.architecture()).left(80))
                   : QVariant();
    case kValueSubjectRole:
        return index.column() == Value
                   ? QVariant::fromValue(ValueSubject{.key = std::string(key.key),
                                                      .architecture = std::string(m_model->metadata.architecture()),
                                                      .type = typeOf(key.value),
                                                      .namesToken = isTokenIdKey(key.key) && m_vocabulary != nullptr &&
                                                                    m_vocabulary->size() != 0})
                   : QVariant();
    case Qt::EditRole:
        return index.column() == Value ? QVariant::fromValue(OwnedValue(key.value))
               : index.column() == Type
                   ? QVariant(static_cast<uint>(asArray(key.value) != nullptr ? asArray(key.value)->elementType
                                                                              : typeOf(key.value)))
                   : QVariant();
    case Qt::CheckStateRole:
        return index.column() == Value && asBool(key.value)
                   ? QVariant(static_cast<int>(*asBool(key.value) ? Qt::Checked : Qt::Unchecked))
                   : QVariant();
    default:
        return {};
    }
}

QString MetadataModel::toolTip(const QModelIndex& index) const {
    QString tip = data(index, Qt::DisplayRole).toString();
    if (isGone(index)) {
        return plainToolTip(tip + u'\n' +
                            tr("Deleted: it is in the file until the changes are saved. Revert brings it back."));
    }
    const auto kv = kvOf(index);
    if (!kv || m_document == nullptr) {
        return plainToolTip(tip);
    }
    if (const Difference* changed = difference(index)) {
        tip += u'\n' + differenceText(*changed, m_model->metadata.architecture());
    }
    if (!m_document->can(Capability::EditMetadata)) {
        tip += u'\n' + m_document->whyNot(Capability::EditMetadata);
    } else if (!isFirst(*kv)) {
        tip += u'\n' + tr("The file contains this key twice. Runtimes read the first; this one can be deleted.");
    }
    return plainToolTip(tip);
}

Qt::ItemFlags MetadataModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index) | Qt::ItemIsDropEnabled;
    const KeyValue* key = entry(index);
    if (key == nullptr) {
        return flags;
    }
    flags |= Qt::ItemIsDragEnabled;
    if (m_document == nullptr || !m_document->can(Capability::EditMetadata) || !isFirst(*kvOf(index))) {
        return flags;
    }
    const auto text = asString(key->value);
    if (index.column() == Type) {
        flags |= m_document->can(Capability::TypedValues) ? Qt::ItemIsEditable : Qt::NoItemFlags;
    } else if (index.column() == Value && asBool(key->value)) {
        flags |= Qt::ItemIsUserCheckable;
    } else if (index.column() == Value && asArray(key->value) == nullptr && !(text && isLongText(*text))) {
        flags |= Qt::ItemIsEditable;
    }
    return flags;
}

bool MetadataModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const KeyValue* key = entry(index);
    if (key == nullptr || m_document == nullptr) {
        return false;
    }
    if (index.column() == Type && role == Qt::EditRole) {
        emit typeWanted(index, value.toUInt());
        return true;
    }
    OwnedValue wanted;
    if (role == Qt::CheckStateRole && asBool(key->value)) {
        wanted = OwnedValue(gufo::Value(BoolValue{static_cast<std::uint8_t>(value.toInt() == Qt::Checked)}));
    } else if (role == Qt::EditRole && index.column() == Value) {
        wanted = value.value<OwnedValue>();
    } else {
        return false;
    }
    return m_document->apply({SetKey{.key = std::string(key->key), .value = std::move(wanted)}},
                             tr("Set %1").arg(displayText(key->key)));
}

QString MetadataModel::text(const KeyTree::Node& node, int column) const {
    const std::string_view architecture = m_model->metadata.architecture();
    if (node.isGroup()) {
        switch (column) {
        case Key:
            return headText(node.segment, 200);
        case Type:
            return tr("%n keys", nullptr, numerus(node.keys));
        case Meaning:
            return groupMeaning(node.prefix, architecture);
        default:
            return {};
        }
    }
    const KeyValue& entry = valueOf(node);
    switch (column) {
    case Key:
        return headText(node.segment, 200);
    case Type:
        return formatValueType(entry.value);
    case Value: {
        const Difference* changed = !node.isGone() && asArray(entry.value) != nullptr
                                        ? difference(indexOf(static_cast<std::uint32_t>(&node - m_tree->nodes.data())))
                                        : nullptr;
        return changed != nullptr && changed->array ? arrayChangeText(*changed->array)
                                                    : valueText(entry.key, entry.value, architecture);
    }
    default:
        return keyMeaning(entry.key, architecture);
    }
}

QVariant MetadataModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    const QStringList titles{tr("Key"), tr("Type"), tr("Value"), tr("Meaning")};
    return titles[section];
}

} // namespace gufo::ui
