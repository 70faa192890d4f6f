#include "document/list_edits.h"

#include "document/lineage.h"
#include "model/name_index.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gufo::edit {
namespace {

// Counts marked places before a place (a Fenwick tree).
class Counter {
public:
    explicit Counter(std::size_t places)
        : m_sums(places + 1) {}
    void mark(std::size_t place) { add(place, 1); }
    void unmark(std::size_t place) { add(place, ~std::size_t{0}); }
    [[nodiscard]] std::size_t before(std::size_t place) const {
        std::size_t sum = 0;
        for (; place > 0; place &= place - 1) {
            sum += m_sums[place];
        }
        return sum;
    }

private:
    void add(std::size_t place, std::size_t amount) { // sums wrap around, so that −1 can be added
        for (++place; place < m_sums.size(); place += place & (~place + 1)) {
            m_sums[place] += amount;
        }
    }
    std::vector<std::size_t> m_sums;
};

// Numbers for names: equal ones have the same number.
class NameNumbers {
public:
    NameNumbers(const std::vector<std::string_view>& from, const std::vector<std::string_view>& goal) {
        const auto nameAt = [&](std::uint32_t i) { return i < from.size() ? from[i] : goal[i - from.size()]; };
        NameIndex index;
        m_numbers.reserve(from.size() + goal.size());
        for (std::uint32_t i = 0; i < from.size() + goal.size(); ++i) {
            m_numbers.push_back(index.add(nameAt(i), i, nameAt) ? i : *index.find(nameAt(i), nameAt));
        }
        m_goal = from.size();
    }
    [[nodiscard]] std::size_t ofFrom(std::size_t i) const { return m_numbers[i]; }
    [[nodiscard]] std::size_t ofGoal(std::size_t i) const { return m_numbers[m_goal + i]; }
    [[nodiscard]] std::size_t count() const { return m_numbers.size(); }

private:
    std::vector<std::uint32_t> m_numbers;
    std::size_t m_goal = 0;
};

// The entries that are kept, while others are added and moved between them. An entry that has found its place in the
// goal's order is settled. An entry that is added or moved is put directly before the first settled entry that follows
// it in the goal, which is always one that was settled from the start.
class Arrangement {
public:
    Arrangement(std::vector<std::size_t> order, std::size_t goal, const NameNumbers& names)
        : m_order(std::move(order))
        , m_kept(goal, kNone)
        , m_unsettled(movedOnes(m_order))
        , m_names(names)
        , m_remaining(m_order.size())
        , m_named(2 * goal) {
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            m_kept[m_order[i]] = i;
            m_remaining.mark(i);
        }
        sortByName();
        for (std::size_t to = 0; to < goal; ++to) {
            if (m_kept[to] != kNone) {
                m_named.mark(m_placeKept[to]);
            }
        }
    }

    [[nodiscard]] bool isThere(std::size_t to) const { return m_kept[to] != kNone; }
    [[nodiscard]] bool isSettled(std::size_t to) const { return isThere(to) && !m_unsettled[m_kept[to]]; }

    // Inserts an entry and returns how many had its name before, and its position.
    std::pair<std::size_t, std::size_t> add(std::size_t to) {
        const std::size_t same = m_named.before(m_lastOfName[to]) - m_named.before(m_firstOfName[to]);
        return {same, insert(to)};
    }
    // Moves an entry and returns how many of its name were before it, and its new position.
    std::pair<std::size_t, std::size_t> move(std::size_t to) {
        const std::size_t same = m_named.before(m_placeKept[to]) - m_named.before(m_firstOfName[to]);
        m_named.unmark(m_placeKept[to]);
        m_remaining.unmark(m_kept[to]);
        return {same, insert(to)};
    }

private:
    // The position among the kept entries before which an entry of the goal is put.
    [[nodiscard]] std::vector<std::size_t> successors() const {
        std::vector<std::size_t> successors(m_kept.size());
        std::size_t next = m_order.size();
        for (std::size_t to = m_kept.size(); to-- > 0;) {
            successors[to] = next;
            next = isSettled(to) ? m_kept[to] : next;
        }
        return successors;
    }

    // Gives each place that an entry has or gets a number, so that the places of one name are adjacent and in order.
    void sortByName() {
        struct Place {
            std::size_t name;
            std::size_t key; // order in the list: inserted entries are before the kept entry that follows
            std::size_t to;
        };
        const std::size_t goal = m_kept.size();
        m_successor = successors();
        std::vector<Place> places;
        places.reserve(2 * goal);
        for (std::size_t to = 0; to < goal; ++to) {
            const std::size_t name = m_names.ofGoal(to);
            if (isThere(to)) {
                places.push_back({name, 2 * m_kept[to] + 1, to});
            }
            if (!isSettled(to)) {
                places.push_back({name, 2 * m_successor[to], to});
            }
        }
        std::ranges::sort(places, {}, [](const Place& p) { return std::tuple(p.name, p.key, p.to); });
        m_placeKept.resize(goal);
        m_placeInserted.resize(goal);
        m_firstOfName.resize(goal);
        m_lastOfName.resize(goal);
        for (std::size_t first = 0; first < places.size();) {
            std::size_t end = first;
            while (end < places.size() && places[end].name == places[first].name) {
                ++end;
            }
            for (std::size_t i = first; i < end; ++i) {
                const std::size_t to = places[i].to;
                (places[i].key % 2 == 1 ? m_placeKept : m_placeInserted)[to] = i;
                m_firstOfName[to] = first;
                m_lastOfName[to] = end;
            }
            first = end;
        }
    }

    std::size_t insert(std::size_t to) {
        m_named.mark(m_placeInserted[to]);
        return m_remaining.before(m_successor[to]) + m_inserted++;
    }

    std::vector<std::size_t> m_order; // the index in the goal of each kept entry
    std::vector<std::size_t> m_kept;  // and its inverse
    std::vector<bool> m_unsettled;
    const NameNumbers& m_names;
    std::vector<std::size_t> m_successor;
    Counter m_remaining; // kept entries that have not been moved
    Counter m_named;     // entries by name
    std::vector<std::size_t> m_placeKept;
    std::vector<std::size_t> m_placeInserted;
    std::vector<std::size_t> m_firstOfName;
    std::vector<std::size_t> m_lastOfName;
    std::size_t m_inserted = 0;
};

} // namespace

std::vector<ListEdit> listEdits(const std::vector<std::string_view>& from, const std::vector<std::size_t>& matched,
                                const std::vector<std::string_view>& goal) {
    const NameNumbers names(from, goal);
    std::vector<ListEdit> edits;
    std::vector<std::size_t> counts(names.count());
    for (std::size_t i = 0; i < from.size(); ++i) {
        const std::size_t occurrence = counts[names.ofFrom(i)]++;
        if (matched[i] == kNone) {
            edits.push_back({ListEdit::Kind::Remove, i, from[i], occurrence});
        }
    }
    std::ranges::reverse(edits); // so that each leaves the entries before it as they were
    std::ranges::fill(counts, 0);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (const std::size_t to = matched[i]; to != kNone) {
            edits.push_back({ListEdit::Kind::Keep, to, from[i], counts[names.ofFrom(i)]});
            ++counts[names.ofGoal(to)]; // its name from now on
            order.push_back(to);
        }
    }
    if (order.size() == goal.size() && std::ranges::is_sorted(order)) {
        return edits;
    }
    Arrangement entries(std::move(order), goal.size(), names);
    for (std::size_t to = 0; to < goal.size(); ++to) {
        if (!entries.isThere(to)) {
            const auto [same, position] = entries.add(to);
            edits.push_back({ListEdit::Kind::Add, to, goal[to], same, position});
        } else if (!entries.isSettled(to)) {
            const auto [same, position] = entries.move(to);
            edits.push_back({ListEdit::Kind::Move, to, goal[to], same, position});
        }
    }
    return edits;
}

std::vector<bool> movedOnes(const std::vector<std::size_t>& matched) {
    std::vector<std::size_t> tails;                           // the last entry of the best run of each length
    std::vector<std::size_t> previous(matched.size(), kNone); // the preceding entry in its run
    for (std::size_t i = 0; i < matched.size(); ++i) {
        if (matched[i] == kNone) {
            continue;
        }
        const bool extends = tails.empty() || matched[tails.back()] < matched[i];
        const auto at =
            extends ? tails.end()
                    : std::ranges::lower_bound(tails, matched[i], {}, [&](std::size_t t) { return matched[t]; });
        previous[i] = at == tails.begin() ? kNone : *std::prev(at);
        if (at == tails.end()) {
            tails.push_back(i);
        } else {
            *at = i;
        }
    }
    std::vector<bool> moved(matched.size());
    for (std::size_t i = 0; i < matched.size(); ++i) {
        moved[i] = matched[i] != kNone;
    }
    for (std::size_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = previous[i]) {
        moved[i] = false;
    }
    return moved;
}

} // namespace gufo::edit
