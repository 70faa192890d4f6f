#include "ui/models/metadata_model.h"

#include "messages/format.h"
#include "ui/models/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"

#include <algorithm>

namespace gufo::ui {

void MetadataModel::setTree(std::shared_ptr<const KeyTree> tree) {
    beginResetModel();
    m_tree = std::move(tree);
    m_fetched.clear();
    m_changing = true;
    endResetModel();
    m_changing = false;
}

void MetadataModel::setVocabulary(std::shared_ptr<const Vocabulary> vocabulary) {
    m_vocabulary = std::move(vocabulary);
    if (!m_tree) {
        return;
    }
    for (std::uint32_t node = 1; node < m_tree->nodes.size(); ++node) {
        if (chipToken(m_tree->nodes[node]) && m_tree->nodes[node].row < fetched(m_tree->nodes[node].parent)) {
            const QModelIndex changed = indexOf(node, Value);
            emit dataChanged(changed, changed);
        }
    }
}

const KeyValue* MetadataModel::entry(const QModelIndex& index) const {
    if (!index.isValid() || m_tree->nodes[nodeOf(index)].isGroup()) {
        return nullptr;
    }
    return &m_tree->model->metadata[KvIndex(m_tree->nodes[nodeOf(index)].kv)];
}

QModelIndex MetadataModel::showEntry(KvIndex kv) {
    if (!m_tree) {
        return {};
    }
    const auto found = std::ranges::find(m_tree->nodes, kv.value, &KeyTree::Node::kv);
    return found != m_tree->nodes.end() ? show(static_cast<std::uint32_t>(found - m_tree->nodes.begin()))
                                        : QModelIndex();
}

QModelIndex MetadataModel::showPrefix(const QByteArray& prefix, bool group) {
    const std::string_view wanted(prefix.data(), static_cast<std::size_t>(prefix.size()));
    for (std::uint32_t node = 1; m_tree && node < m_tree->nodes.size(); ++node) {
        if (m_tree->nodes[node].isGroup() == group && m_tree->nodes[node].prefix == wanted) {
            return show(node);
        }
    }
    return {};
}

QModelIndex MetadataModel::show(std::uint32_t node) {
    for (std::uint32_t at = node; at != 0; at = m_tree->nodes[at].parent) {
        fetch(m_tree->nodes[at].parent, m_tree->nodes[at].row + 1);
    }
    return indexOf(node);
}

std::uint32_t MetadataModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
}

QModelIndex MetadataModel::indexOf(std::uint32_t node, int column) const {
    return node == 0 ? QModelIndex() : createIndex(static_cast<int>(m_tree->nodes[node].row), column, quintptr{node});
}

std::uint32_t MetadataModel::fetched(std::uint32_t node) const {
    const auto found = m_fetched.find(node);
    return std::min(m_tree->nodes[node].children,
                    found != m_fetched.end() ? found->second : std::uint32_t{kFetchedAtOnce});
}

void MetadataModel::fetch(std::uint32_t node, std::uint32_t upTo) {
    const std::uint32_t have = fetched(node);
    upTo = std::min(upTo, m_tree->nodes[node].children);
    if (upTo > have) {
        m_changing = true;
        beginInsertRows(indexOf(node), static_cast<int>(have), static_cast<int>(upTo) - 1);
        m_fetched[node] = upTo;
        endInsertRows();
        m_changing = false;
    }
}

QModelIndex MetadataModel::index(int row, int column, const QModelIndex& parent) const {
    return hasIndex(row, column, parent)
               ? indexOf(m_tree->nodes[nodeOf(parent)].firstChild + static_cast<std::uint32_t>(row), column)
               : QModelIndex();
}

QModelIndex MetadataModel::parent(const QModelIndex& child) const {
    return child.isValid() ? indexOf(m_tree->nodes[nodeOf(child)].parent) : QModelIndex();
}

int MetadataModel::rowCount(const QModelIndex& parent) const {
    return !m_tree || parent.column() > 0 ? 0 : static_cast<int>(fetched(nodeOf(parent)));
}

int MetadataModel::columnCount(const QModelIndex&) const { return ColumnCount; }

bool MetadataModel::hasChildren(const QModelIndex& parent) const {
    return m_tree && parent.column() <= 0 && m_tree->nodes[nodeOf(parent)].children != 0;
}

bool MetadataModel::canFetchMore(const QModelIndex& parent) const {
    return m_tree && !m_changing && parent.column() <= 0 &&
           fetched(nodeOf(parent)) < m_tree->nodes[nodeOf(parent)].children;
}

void MetadataModel::fetchMore(const QModelIndex& parent) {
    if (canFetchMore(parent)) {
        fetch(nodeOf(parent), fetched(nodeOf(parent)) + kFetchedAtOnce);
    }
}

std::optional<std::uint64_t> MetadataModel::chipToken(const KeyTree::Node& node) const {
    if (node.isGroup() || !m_vocabulary || !isTokenIdKey(node.prefix)) {
        return std::nullopt;
    }
    const auto id = asUInt(m_tree->model->metadata[KvIndex(node.kv)].value);
    return id && *id < m_vocabulary->size() ? id : std::nullopt;
}

QVariant MetadataModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const KeyTree::Node& node = m_tree->nodes[nodeOf(index)];
    switch (role) {
    case Qt::ToolTipRole:
        return plainToolTip(data(index, Qt::DisplayRole).toString());
    case Qt::DisplayRole:
        return text(node, index.column());
    case Qt::FontRole:
        return index.column() == Key || index.column() == Value ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Type || index.column() == Meaning ? QVariant(themeColor(Token::Muted)) : QVariant();
    case PrefixRole:
        return QByteArray(node.prefix.data(), static_cast<qsizetype>(node.prefix.size()));
    case Qt::AccessibleTextRole:
    case ChipTextRole:
    case ChipKindRole: {
        const auto token = index.column() == Value ? chipToken(node) : std::nullopt;
        if (role == Qt::AccessibleTextRole) {
            const QString plain = text(node, index.column());
            return token ? plain + u' ' + headText(m_vocabulary->text(*token), 80) : plain;
        }
        if (!token) {
            return {};
        }
        const auto type = m_vocabulary->type(*token);
        const ChipKind kind = type == static_cast<std::int64_t>(TokenType::Control)       ? ChipKind::Control
                              : type == static_cast<std::int64_t>(TokenType::UserDefined) ? ChipKind::UserDefined
                                                                                          : ChipKind::Normal;
        return role == ChipTextRole ? QVariant(headText(m_vocabulary->text(*token), 80))
                                    : QVariant(static_cast<int>(kind));
    }
    default:
        return {};
    }
}

QString MetadataModel::text(const KeyTree::Node& node, int column) const {
    const std::string_view architecture = m_tree->model->metadata.architecture();
    if (node.isGroup()) {
        switch (column) {
        case Key:
            return headText(node.segment, 200);
        case Type:
            return node.keys == 1 ? tr("1 key") : tr("%1 keys").arg(formatCount(node.keys));
        case Meaning:
            return groupMeaning(node.prefix, architecture);
        default:
            return {};
        }
    }
    const KeyValue& entry = m_tree->model->metadata[KvIndex(node.kv)];
    switch (column) {
    case Key:
        return headText(node.segment, 200);
    case Type:
        return formatValueType(entry.value);
    case Value:
        return valueText(entry.key, entry.value, architecture);
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
