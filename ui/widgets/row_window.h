// Maps the rows of a table to items of a long list: a page of the whole list, or the results of a search. Views keep
// some bytes per row and count pixels in an int, so a table never has more than kMaxRows rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gufo::ui {

// The results of a search in display order.
struct Matches {
    std::vector<std::uint64_t> items; // at most RowWindow::kMaxRows
    std::uint64_t found = 0;          // total, including those left out
};

class RowWindow {
public:
    static constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 20U;

    RowWindow() = default;
    explicit RowWindow(std::uint64_t items)
        : m_items(items) {}

    void setMatches(std::shared_ptr<const Matches> matches) { m_matches = std::move(matches); } // null: all items
    [[nodiscard]] const Matches* matches() const { return m_matches.get(); }

    // Changes the length of the list. The page is kept as far as it exists; search results are kept only if the length
    // is unchanged.
    void setItems(std::uint64_t items) {
        m_matches = items == m_items ? m_matches : nullptr;
        m_items = items;
        m_page = std::min(m_page, pages() - 1);
    }
    [[nodiscard]] std::uint64_t items() const { return m_items; }
    [[nodiscard]] std::uint64_t pages() const {
        return m_matches ? 1 : std::max<std::uint64_t>(1, (m_items + kMaxRows - 1) / kMaxRows);
    }
    [[nodiscard]] std::uint64_t page() const { return m_matches ? 0 : m_page; }
    void setPage(std::uint64_t page) { m_page = std::min(page, pages() - 1); }

    [[nodiscard]] int rows() const {
        return static_cast<int>(m_matches ? m_matches->items.size() : std::min(m_items - m_page * kMaxRows, kMaxRows));
    }
    [[nodiscard]] std::uint64_t item(int row) const {
        const auto at = static_cast<std::uint64_t>(row);
        return m_matches ? m_matches->items[at] : m_page * kMaxRows + at;
    }
    // The row of an item on its page, if it is in the list at all. pageOf() gives the page.
    [[nodiscard]] std::optional<int> rowOf(std::uint64_t item) const {
        if (!m_matches) {
            return item < m_items ? std::optional(static_cast<int>(item % kMaxRows)) : std::nullopt;
        }
        const auto found = std::ranges::find(m_matches->items, item);
        return found != m_matches->items.end() ? std::optional(static_cast<int>(found - m_matches->items.begin()))
                                               : std::nullopt;
    }
    [[nodiscard]] std::uint64_t pageOf(std::uint64_t item) const { return m_matches ? 0 : item / kMaxRows; }

private:
    std::uint64_t m_items = 0;
    std::uint64_t m_page = 0;
    std::shared_ptr<const Matches> m_matches;
};

} // namespace gufo::ui
