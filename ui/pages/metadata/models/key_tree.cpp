#include "ui/pages/metadata/models/key_tree.h"

#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>
#include <unordered_map>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kKeysPerStep = 256;

bool matches(const KeyValue& entry, const KeyQuery& query, std::string_view architecture) {
    if (query.type && typeOf(entry.value) != *query.type) {
        return false;
    }
    if (query.text.isEmpty() || containsText(entry.key, query.text)) {
        return true;
    }
    if (keyMeaning(entry.key, architecture).contains(query.text, Qt::CaseInsensitive)) {
        return true;
    }
    const auto text = asString(entry.value);
    return text ? containsText(*text, query.text)
                : valueText(entry.key, entry.value, architecture).contains(query.text, Qt::CaseInsensitive);
}

void sortList(std::vector<std::uint32_t>& kept, const Metadata& metadata, const KeyQuery& query) {
    const auto lessBy = [&](const auto& key) {
        std::ranges::stable_sort(kept, [&](std::uint32_t a, std::uint32_t b) {
            const KeyValue& left = metadata[KvIndex(query.order == Qt::AscendingOrder ? a : b)];
            const KeyValue& right = metadata[KvIndex(query.order == Qt::AscendingOrder ? b : a)];
            return key(left) < key(right);
        });
    };
    switch (query.sortBy) {
    case KeyQuery::SortBy::FileOrder:
        break;
    case KeyQuery::SortBy::Key:
        lessBy([](const KeyValue& entry) { return entry.key; });
        break;
    case KeyQuery::SortBy::Type:
        lessBy([](const KeyValue& entry) { return typeOf(entry.value); });
        break;
    case KeyQuery::SortBy::Value: // numbers by size, then strings, then arrays by length
        lessBy([](const KeyValue& entry) {
            const auto number = asDouble(entry.value);
            const ArrayView* array = asArray(entry.value);
            const int rank = number ? 0 : asBool(entry.value) ? 1 : array == nullptr ? 2 : 3;
            return std::tuple(rank, array != nullptr ? static_cast<double>(array->length) : number.value_or(0),
                              asString(entry.value).value_or(std::string_view()));
        });
        break;
    }
}

// Collects nodes in any order with siblings as linked lists, and finally lays them out.
class Builder {
public:
    explicit Builder(const Model& model)
        : m_metadata(model.metadata) {
        m_nodes.push_back({});
    }

    void addToList(std::uint32_t kv) { addLeaf(kv, 0, 0); }

    void addToTree(std::uint32_t kv) {
        const std::string_view key = m_metadata[KvIndex(kv)].key;
        std::uint32_t parent = 0;
        std::size_t start = 0;
        for (int depth = 0; depth < KeyTree::kMaxDepth; ++depth) {
            const std::size_t dot = key.find('.', start);
            if (dot == std::string_view::npos) {
                break;
            }
            parent = group(key.substr(0, dot), start, parent);
            start = dot + 1;
        }
        addLeaf(kv, start, parent);
    }

    [[nodiscard]] std::vector<KeyTree::Node> layOut() const {
        std::vector<KeyTree::Node> out{m_nodes[0].node};
        std::vector<std::uint32_t> source{0};
        for (std::uint32_t at = 0; at < out.size(); ++at) {
            const auto first = static_cast<std::uint32_t>(out.size());
            for (const bool groups : {false, true}) {
                for (std::uint32_t child = m_nodes[source[at]].firstChild; child != KeyTree::kNone;
                     child = m_nodes[child].nextSibling) {
                    if (m_nodes[child].node.isGroup() == groups) {
                        KeyTree::Node node = m_nodes[child].node;
                        node.parent = at;
                        node.row = static_cast<std::uint32_t>(out.size()) - first;
                        out.push_back(node);
                        source.push_back(child);
                    }
                }
            }
            out[at].firstChild = first;
            out[at].children = static_cast<std::uint32_t>(out.size()) - first;
        }
        return out;
    }

private:
    struct Linked {
        KeyTree::Node node;
        std::uint32_t parent = KeyTree::kNone;
        std::uint32_t firstChild = KeyTree::kNone;
        std::uint32_t lastChild = KeyTree::kNone;
        std::uint32_t nextSibling = KeyTree::kNone;
    };

    std::uint32_t append(KeyTree::Node node, std::uint32_t parent) {
        const auto number = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back({.node = node, .parent = parent});
        Linked& above = m_nodes[parent];
        (above.lastChild == KeyTree::kNone ? above.firstChild : m_nodes[above.lastChild].nextSibling) = number;
        above.lastChild = number;
        return number;
    }

    std::uint32_t group(std::string_view prefix, std::size_t segmentStart, std::uint32_t parent) {
        const auto [found, fresh] = m_groups.try_emplace(prefix, 0);
        if (fresh) {
            KeyTree::Node node;
            node.prefix = prefix;
            node.segment = prefix.substr(segmentStart);
            found->second = append(node, parent);
        }
        return found->second;
    }

    void addLeaf(std::uint32_t kv, std::size_t segmentStart, std::uint32_t parent) {
        KeyTree::Node node;
        node.kv = kv;
        node.prefix = m_metadata[KvIndex(kv)].key;
        node.segment = node.prefix.substr(segmentStart);
        append(node, parent);
        for (std::uint32_t above = parent; above != KeyTree::kNone; above = m_nodes[above].parent) {
            ++m_nodes[above].node.keys;
        }
    }

    const Metadata& m_metadata;
    std::vector<Linked> m_nodes;
    std::unordered_map<std::string_view, std::uint32_t> m_groups; // by prefix
};

} // namespace

Result<std::shared_ptr<const KeyTree>> buildKeyTree(std::shared_ptr<const Model> model, const KeyQuery& query,
                                                    const JobContext& job) {
    const std::string_view architecture = model->metadata.architecture();
    std::vector<std::uint32_t> kept;
    job.start(model->metadata.size());
    for (std::uint32_t i = 0; i < model->metadata.size(); ++i) {
        if (i % kKeysPerStep == 0) {
            if (job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            job.advance(i == 0 ? 0 : kKeysPerStep);
        }
        if (matches(model->metadata[KvIndex(i)], query, architecture)) {
            kept.push_back(i);
        }
    }
    Builder builder(*model);
    if (query.layout == KeyQuery::Layout::List) {
        sortList(kept, model->metadata, query);
        std::ranges::for_each(kept, [&](std::uint32_t kv) { builder.addToList(kv); });
    } else {
        std::ranges::for_each(kept, [&](std::uint32_t kv) { builder.addToTree(kv); });
    }
    auto tree = std::make_shared<KeyTree>();
    tree->nodes = builder.layOut();
    tree->model = std::move(model);
    return tree;
}

} // namespace gufo::ui
