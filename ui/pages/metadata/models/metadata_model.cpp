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
    announce([](const KeyTree::Node& node) { return !node.isGroup() && isTokenIdKey(node.prefix); });
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
    if (!index.isValid() || m_tree->nodes[nodeOf(index)].kv == KeyTree::kNone) {
        return nullptr;
    }
    return &m_model->metadata[KvIndex(m_tree->nodes[nodeOf(index)].kv)];
}

bool MetadataModel::isGone(const QModelIndex& index) const {
    return index.isValid() && m_tree->nodes[nodeOf(index)].isGone();
}

const KeyValue& MetadataModel::valueOf(const KeyTree::Node& leaf) const {
    return leaf.isGone() ? m_tree->base->metadata[KvIndex(leaf.gone)] : m_model->metadata[KvIndex(leaf.kv)];
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
        if (node.kv != KeyTree::kNone) {
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
    if (m_document != nullptr && isGone(index)) {
        const auto& all = m_document->document().differences();
        const std::string_view key = m_tree->nodes[nodeOf(index)].prefix;
        const auto found = std::ranges::find_if(all, [key](const Difference& each) {
            return each.deleted && each.subject == Difference::Subject::Key && each.name == key;
        });
        return found != all.end() ? &*found : nullptr;
    }
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

} // namespace gufo::ui

#include "moc_metadata_model.cpp"
