// The keys or tensors of a model that is being edited, in order and with an index by name. Names need not be unique.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

namespace gufo {

// `Item` has a member name() that returns a view, valid until the item is renamed.
template<typename Item>
class NamedList {
public:
    [[nodiscard]] std::size_t size() const { return m_items.size(); }
    [[nodiscard]] const Item& operator[](std::size_t position) const { return *m_items[position]; }
    [[nodiscard]] Item& operator[](std::size_t position) { return *m_items[position]; }

    // A list of copies; the index is made again when it is needed. `copyOf(item)` returns a std::unique_ptr.
    template<typename CopyOf>
    [[nodiscard]] NamedList copy(const CopyOf& copyOf) const {
        NamedList list;
        list.m_items.reserve(m_items.size());
        for (const auto& item : m_items) {
            list.m_items.push_back(copyOf(*item));
        }
        return list;
    }

    void clear() {
        m_items.clear();
        m_byName.clear();
        m_indexed = false;
    }

    // Returns null if there is no such item.
    [[nodiscard]] Item* find(std::string_view name, std::size_t occurrence = 0) const {
        index();
        const auto [first, last] = m_byName.equal_range(name);
        if (first == last || std::next(first) == last) {
            return occurrence == 0 && first != last ? first->second : nullptr;
        }
        for (const auto& item : m_items) {
            if (item->name() == name && occurrence-- == 0) {
                return item.get();
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::size_t positionOf(const Item& item) const {
        const auto at = std::ranges::find(m_items, &item, [](const auto& owned) { return owned.get(); });
        return static_cast<std::size_t>(at - m_items.begin());
    }
    // Returns the number of preceding items with the same name.
    [[nodiscard]] std::size_t occurrenceOf(const Item& item) const {
        index();
        const auto [first, last] = m_byName.equal_range(item.name());
        if (std::next(first) == last) {
            return 0;
        }
        const auto end = std::ranges::find(m_items, &item, [](const auto& owned) { return owned.get(); });
        return static_cast<std::size_t>(
            std::count_if(m_items.begin(), end, [&](const auto& other) { return other->name() == item.name(); }));
    }

    // Inserts at `position`, or at the end if the list is shorter.
    Item& insert(std::size_t position, std::unique_ptr<Item> item) {
        Item& inserted = *item;
        m_items.insert(at(position), std::move(item));
        if (m_indexed) {
            m_byName.emplace(inserted.name(), &inserted);
        }
        return inserted;
    }
    std::unique_ptr<Item> remove(const Item& item) {
        forget(item);
        const auto place = at(positionOf(item));
        auto removed = std::move(*place);
        m_items.erase(place);
        return removed;
    }
    void move(const Item& item, std::size_t position) {
        const auto from = at(positionOf(item));
        auto moved = std::move(*from);
        m_items.erase(from);
        m_items.insert(at(position), std::move(moved));
    }
    // `change` must give the item its new name.
    template<typename Change>
    void rename(Item& item, const Change& change) {
        forget(item);
        change(item);
        if (m_indexed) {
            m_byName.emplace(item.name(), &item);
        }
    }

private:
    [[nodiscard]] auto at(std::size_t position) {
        return m_items.begin() + static_cast<std::ptrdiff_t>(std::min(position, m_items.size()));
    }
    // Built on demand, because most documents are never edited.
    void index() const {
        if (!m_indexed) {
            for (const auto& item : m_items) {
                m_byName.emplace(item->name(), item.get());
            }
            m_indexed = true;
        }
    }
    void forget(const Item& item) {
        if (!m_indexed) {
            return;
        }
        auto [first, last] = m_byName.equal_range(item.name());
        m_byName.erase(std::find_if(first, last, [&](const auto& entry) { return entry.second == &item; }));
    }

    std::vector<std::unique_ptr<Item>> m_items;
    // A tree instead of a hash table, because a malicious file could make its names collide.
    mutable std::multimap<std::string_view, Item*> m_byName;
    mutable bool m_indexed = false;
};

} // namespace gufo
