#include "ui/pages/metadata/models/key_tree.h"

#include "base/try.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"

#include <algorithm>
#include <functional>
#include <map>
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

void sortList(std::vector<const KeyValue*>& kept, const KeyQuery& query) {
    const auto lessBy = [&](const auto& key) {
        std::ranges::stable_sort(kept, [&](const KeyValue* a, const KeyValue* b) {
            const bool ascending = query.order == Qt::AscendingOrder;
            return key(ascending ? *a : *b) < key(ascending ? *b : *a);
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
    Builder(const Model& model, const GoneKeys& gone)
        : m_metadata(model.metadata)
        , m_gone(gone) {
        m_nodes.push_back({});
    }

    void addToList(const KeyValue& entry) { addLeaf(entry, 0, 0); }

    void addToTree(const KeyValue& entry) {
        const std::string_view key = entry.key;
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
        addLeaf(entry, start, parent);
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

    // The entry is one of the model's, or of a deleted key.
    void addLeaf(const KeyValue& entry, std::size_t segmentStart, std::uint32_t parent) {
        KeyTree::Node node;
        const auto isIn = [&entry](const Metadata& metadata) {
            return !metadata.empty() && std::greater_equal<>()(&entry, &metadata[KvIndex(0)]) &&
                   std::less_equal<>()(&entry, &metadata[KvIndex(metadata.size() - 1)]);
        };
        const bool gone = !isIn(m_metadata);
        const Metadata& all = gone ? m_gone.base->metadata : m_metadata;
        (gone ? node.gone : node.kv) = static_cast<std::uint32_t>(&entry - &all[KvIndex(0)]);
        node.prefix = entry.key;
        node.segment = node.prefix.substr(segmentStart);
        append(node, parent);
        for (std::uint32_t above = gone ? KeyTree::kNone : parent; above != KeyTree::kNone;
             above = m_nodes[above].parent) {
            ++m_nodes[above].node.keys;
        }
    }

    const Metadata& m_metadata;
    const GoneKeys& m_gone;
    std::vector<Linked> m_nodes;
    std::unordered_map<std::string_view, std::uint32_t> m_groups; // by prefix
};

// The index of the key before which a deleted one stood: the one after the nearest key before it that is still there.
std::multimap<std::size_t, KvIndex> placesOf(const Model& model, const GoneKeys& gone) {
    std::multimap<std::size_t, KvIndex> places;
    std::size_t place = 0;
    for (std::size_t i = 0; i < gone.keys.size(); ++i) {
        const KvIndex key = gone.keys[i];
        const bool follows = i > 0 && gone.keys[i - 1].value + 1 == key.value; // then the place is the same
        place = follows ? place : 0;
        for (std::size_t before = key.value; !follows && before-- > 0 && place == 0;) {
            const auto left = model.metadata.indexOf(gone.base->metadata[KvIndex(before)].key);
            place = left ? left->value + 1 : 0;
        }
        places.emplace(place, key);
    }
    return places;
}

} // namespace

Result<std::shared_ptr<const KeyTree>> buildKeyTree(std::shared_ptr<const Model> model, const KeyQuery& query,
                                                    const JobContext& job, const GoneKeys& gone) {
    const std::string_view architecture = model->metadata.architecture();
    const std::multimap<std::size_t, KvIndex> places = placesOf(*model, gone);
    std::vector<const KeyValue*> kept;
    const auto keep = [&](const KeyValue& entry) {
        if (matches(entry, query, architecture)) {
            kept.push_back(&entry);
        }
    };
    job.start(model->metadata.size());
    for (std::size_t i = 0; i <= model->metadata.size(); ++i) {
        if (i % kKeysPerStep == 0) {
            GUFO_TRY(job.check());
            job.advance(i == 0 ? 0 : kKeysPerStep);
        }
        for (auto [at, end] = places.equal_range(i); at != end; ++at) {
            keep(gone.base->metadata[at->second]);
        }
        if (i < model->metadata.size()) {
            keep(model->metadata[KvIndex(i)]);
        }
    }
    Builder builder(*model, gone);
    if (query.layout == KeyQuery::Layout::List) {
        sortList(kept, query);
        std::ranges::for_each(kept, [&](const KeyValue* entry) { builder.addToList(*entry); });
    } else {
        std::ranges::for_each(kept, [&](const KeyValue* entry) { builder.addToTree(*entry); });
    }
    auto tree = std::make_shared<KeyTree>();
    tree->nodes = builder.layOut();
    tree->model = std::move(model);
    tree->base = gone.base;
    return tree;
}

} // namespace gufo::ui
