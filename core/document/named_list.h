// The keys or tensors of a model that is being edited, in order and with an index by name. Names need not be unique.
// Every operation on one item takes O(log n) expected time, or O(log² n) if its name occurs several times.
#pragma once

#include "document/sequence.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace gufo {

// `Item` has a member name() that returns a view, valid until the item is renamed.
template<typename Item>
class NamedList {
public:
    [[nodiscard]] std::size_t size() const { return m_items.size(); }
    [[nodiscard]] auto begin() const { return m_items.begin(); }
    [[nodiscard]] auto end() const { return m_items.end(); }

    // Returns a list of copies, whose index is built when it is needed. `copyOf(item)` returns the copy of an item.
    template<typename CopyOf>
    [[nodiscard]] NamedList copy(const CopyOf& copyOf) const {
        std::vector<Item> copies;
        copies.reserve(size());
        for (const Item& item : m_items) {
            copies.push_back(copyOf(item));
        }
        NamedList list;
        list.assign(std::move(copies));
        return list;
    }
    void assign(std::vector<Item> items) {
        clear();
        m_items.assign(std::move(items));
    }
    void clear() {
        m_items.clear();
        m_byName.clear();
        m_indexed = false;
    }

    // Returns null if there is no such item.
    [[nodiscard]] Item* find(std::string_view name, std::size_t occurrence = 0) const {
        index();
        const std::size_t first = firstOf(name);
        if (occurrence >= m_byName.size() - first) {
            return nullptr;
        }
        Item* found = m_byName[first + occurrence].item;
        return found->name() == name ? found : nullptr;
    }
    [[nodiscard]] std::size_t positionOf(const Item& item) const { return m_items.positionOf(item); }
    // Returns the number of preceding items with the same name.
    [[nodiscard]] std::size_t occurrenceOf(const Item& item) const {
        index();
        return placeInIndex(item) - firstOf(item.name());
    }

    // Inserts at `position`, or at the end if the list is shorter.
    Item& insert(std::size_t position, Item item) {
        Item& inserted = m_items.insert(std::min(position, size()), std::move(item));
        enter(inserted);
        return inserted;
    }
    Item remove(const Item& item) {
        forget(item);
        return m_items.remove(positionOf(item));
    }
    // Moves an item to `position`, or to the end if the list is shorter.
    void move(Item& item, std::size_t position) {
        forget(item);
        m_items.move(positionOf(item), std::min(position, size() - 1));
        enter(item);
    }
    // `change` must give the item its new name.
    template<typename Change>
    void rename(Item& item, const Change& change) {
        forget(item);
        change(item);
        enter(item);
    }

private:
    struct Entry {
        Item* item;
    };

    [[nodiscard]] std::size_t firstOf(std::string_view name) const {
        return m_byName.partitionPoint([&](const Entry& entry) { return entry.item->name() < name; });
    }
    [[nodiscard]] std::size_t placeInIndex(const Item& item) const {
        std::size_t position = kUnknown; // computed only if the name occurs several times
        return m_byName.partitionPoint([&](const Entry& entry) {
            if (const auto order = entry.item->name() <=> item.name(); order != 0) {
                return order < 0;
            }
            if (entry.item == &item) {
                return false;
            }
            position = position == kUnknown ? positionOf(item) : position;
            return positionOf(*entry.item) < position;
        });
    }
    // Built on demand, because most documents are never edited.
    void index() const {
        if (m_indexed) {
            return;
        }
        struct Row {
            std::string_view name;
            std::size_t position;
            Item* item;
        };
        std::vector<Row> rows;
        rows.reserve(size());
        for (Item& item : m_items) {
            rows.push_back({item.name(), rows.size(), &item});
        }
        std::ranges::sort(rows, {}, [](const Row& row) { return std::tuple(row.name, row.position); });
        std::vector<Entry> entries;
        entries.reserve(rows.size());
        std::ranges::transform(rows, std::back_inserter(entries), [](const Row& row) { return Entry{row.item}; });
        m_byName.assign(std::move(entries));
        m_indexed = true;
    }
    void enter(Item& item) {
        if (m_indexed) {
            m_byName.insert(placeInIndex(item), Entry{&item});
        }
    }
    void forget(const Item& item) {
        if (m_indexed) {
            static_cast<void>(m_byName.remove(placeInIndex(item)));
        }
    }

    static constexpr std::size_t kUnknown = ~std::size_t{0};

    Sequence<Item> m_items;
    // Sorted by name, then by position. Unlike a hash table, it finds the items of a name in their order.
    mutable Sequence<Entry> m_byName;
    mutable bool m_indexed = false;
};

} // namespace gufo
