#include "ui/pages/metadata/models/metadata_model.h"

#include "ui/document/model_document.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/models/key_transfer.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/marks.h"
#include "ui/widgets/value_delegate.h"

#include <QCoreApplication>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kLongText = 160; // bytes from which a string is edited in the text pane

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

void MetadataModel::setTree(std::shared_ptr<const KeyTree> tree) {
    beginResetModel();
    m_tree = std::move(tree);
    m_model = m_tree ? m_tree->model : nullptr;
    m_fetched.clear();
    m_changing = true;
    endResetModel();
    m_changing = false;
}

void MetadataModel::setDocument(ModelDocument* document) { m_document = document; }

// Emits dataChanged() for the rows for which `concerned(node)` is true.
template<typename Predicate>
void MetadataModel::announce(const Predicate& concerned) {
    for (std::uint32_t node = 1; m_tree && node < m_tree->nodes.size(); ++node) {
        if (m_tree->nodes[node].row < fetched(m_tree->nodes[node].parent) && concerned(m_tree->nodes[node])) {
            emit dataChanged(indexOf(node, Key), indexOf(node, Meaning));
        }
    }
}

void MetadataModel::setValues(std::shared_ptr<const Model> model, const std::set<std::string, std::less<>>& changed) {
    const bool otherArchitecture = m_model->metadata.architecture() != model->metadata.architecture();
    m_model = std::move(model);
    announce([&](const KeyTree::Node& node) {
        return otherArchitecture || (!node.isGroup() && changed.contains(node.prefix));
    });
}

void MetadataModel::refresh() {
    announce([](const KeyTree::Node&) { return true; });
}

void MetadataModel::setVocabulary(std::shared_ptr<const TokenArrays> vocabulary) {
    m_vocabulary = std::move(vocabulary);
    announce([this](const KeyTree::Node& node) { return !node.isGroup() && isTokenIdKey(node.prefix); });
}

// Views keep selection, expansion and position by persistent indexes: each is moved to the row of the same name in the
// new tree, or invalidated.
void MetadataModel::replaceTree(std::shared_ptr<const KeyTree> tree) {
    if (!m_tree || !tree) {
        setTree(std::move(tree));
        return;
    }
    emit layoutAboutToBeChanged();
    struct Name {
        std::string_view prefix;
        bool group;
        std::uint32_t occurrence;
        bool operator==(const Name&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Name& name) const {
            return std::hash<std::string_view>()(name.prefix) * 2 + (name.group ? 1 : 0) + name.occurrence * 31;
        }
    };
    const auto namesOf = [](const KeyTree& of) {
        std::vector<Name> names;
        std::unordered_map<std::string_view, std::uint32_t> seen;
        for (const KeyTree::Node& node : of.nodes) {
            names.push_back({node.prefix, node.isGroup(), node.isGroup() ? 0 : seen[node.prefix]++});
        }
        return names;
    };
    const std::shared_ptr<const KeyTree> old = std::exchange(m_tree, std::move(tree));
    m_model = m_tree->model;
    const std::vector<Name> before = namesOf(*old);
    const std::vector<Name> after = namesOf(*m_tree);
    std::unordered_map<Name, std::uint32_t, Hash> nodes;
    for (std::uint32_t node = 1; node < after.size(); ++node) {
        nodes.emplace(after[node], node);
    }
    const auto moved = [&](std::uint32_t node) {
        const auto found = node == 0 ? nodes.end() : nodes.find(before[node]);
        return found != nodes.end() ? found->second : std::uint32_t{0};
    };
    std::unordered_map<std::uint32_t, std::uint32_t> fetched;
    for (const auto& [node, rows] : m_fetched) {
        if (const std::uint32_t now = moved(node); now != 0 || node == 0) {
            fetched[now] = rows + 1; // one more than before: a key was added after them
        }
    }
    m_fetched = std::move(fetched);
    const QModelIndexList held = persistentIndexList();
    for (const QModelIndex& index : held) {
        for (std::uint32_t at = moved(nodeOf(index)); at != 0; at = m_tree->nodes[at].parent) {
            std::uint32_t& rows = m_fetched.try_emplace(m_tree->nodes[at].parent, kFetchedAtOnce).first->second;
            rows = std::max(rows, m_tree->nodes[at].row + 1);
        }
    }
    QModelIndexList placed;
    for (const QModelIndex& index : held) {
        placed << indexOf(moved(nodeOf(index)), index.column());
    }
    changePersistentIndexList(held, placed);
    m_changing = true;
    emit layoutChanged();
    m_changing = false;
}

const KeyValue* MetadataModel::entry(const QModelIndex& index) const {
    if (!index.isValid() || m_tree->nodes[nodeOf(index)].isGroup()) {
        return nullptr;
    }
    return &m_model->metadata[KvIndex(m_tree->nodes[nodeOf(index)].kv)];
}

std::optional<KvIndex> MetadataModel::kvOf(const QModelIndex& index) const {
    return entry(index) != nullptr ? std::optional(KvIndex(m_tree->nodes[nodeOf(index)].kv)) : std::nullopt;
}

std::unique_ptr<QMimeData> MetadataModel::transfer(std::vector<KvIndex> keys) const {
    std::erase_if(keys, [this](KvIndex kv) { return !isFirst(kv); }); // a file may contain each key only once
    return std::make_unique<KeyMimeData>(m_model, std::move(keys));
}

QStringList MetadataModel::mimeTypes() const { return {QString::fromLatin1(kKeysMimeType)}; }

QMimeData* MetadataModel::mimeData(const QModelIndexList& indexes) const {
    std::vector<KvIndex> keys;
    for (const QModelIndex& index : indexes) {
        if (const auto kv = index.column() == Key ? kvOf(index) : std::nullopt) {
            keys.push_back(*kv);
        }
    }
    std::ranges::sort(keys);
    return keys.empty() ? nullptr : transfer(std::move(keys)).release(); // the view takes ownership
}

std::vector<KvIndex> MetadataModel::keysBelow(const QModelIndex& index) const {
    std::vector<KvIndex> keys;
    std::vector<std::uint32_t> open{nodeOf(index)};
    while (m_tree && !open.empty()) {
        const KeyTree::Node& node = m_tree->nodes[open.back()];
        open.pop_back();
        if (!node.isGroup()) {
            keys.emplace_back(node.kv);
        }
        for (std::uint32_t i = 0; i < node.children; ++i) {
            open.push_back(node.firstChild + i);
        }
    }
    return keys;
}

bool MetadataModel::isFirst(KvIndex kv) const { return m_model->metadata.indexOf(m_model->metadata[kv].key) == kv; }

const Difference* MetadataModel::difference(const QModelIndex& index) const {
    const auto kv = m_document != nullptr ? kvOf(index) : std::nullopt;
    return kv && isFirst(*kv) ? m_document->document().differenceOfKey(m_model->metadata[*kv].key) : nullptr;
}

bool MetadataModel::isLongText(std::string_view text) {
    return text.size() > kLongText || text.find('\n') != std::string_view::npos;
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
    case Qt::FontRole:
        return index.column() == Key || index.column() == Value ? QVariant(themeFont(TextStyle::Mono)) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Type || index.column() == Meaning ? QVariant(themeColor(Token::Muted)) : QVariant();
    case PrefixRole:
        return QByteArray(node.prefix.data(), static_cast<qsizetype>(node.prefix.size()));
    case Qt::AccessibleTextRole:
    case ChipTextRole:
    case ChipKindRole:
        return index.column() == Value          ? chip(node, role)
               : role == Qt::AccessibleTextRole ? QVariant(text(node, index.column()))
                                                : QVariant();
    default:
        return node.isGroup() ? QVariant() : editing(index, role);
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
    const KeyValue& entry = m_model->metadata[KvIndex(node.kv)];
    switch (column) {
    case Key:
        return headText(node.segment, 200);
    case Type:
        return formatValueType(entry.value);
    case Value: {
        const Difference* changed = asArray(entry.value) != nullptr
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
