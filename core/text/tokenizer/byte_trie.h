// A trie of byte strings, for the longest match or all matches at a position of a text. A node takes 12 bytes; the root
// is a table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo::text {

class ByteTrie {
public:
    using Entry = std::pair<std::string_view, std::uint32_t>; // text, number (below 2^32 − 1)

    // Empty texts are skipped; among equal texts the lowest number counts. The texts are copied.
    explicit ByteTrie(std::vector<Entry> entries = {});

    [[nodiscard]] bool empty() const { return m_nodes.empty(); }
    [[nodiscard]] bool canStart(char first) const { return m_root[static_cast<unsigned char>(first)] != kNone; }

    struct Match {
        std::size_t bytes;
        std::uint32_t number;
    };
    [[nodiscard]] std::optional<Match> longest(std::string_view text) const {
        std::optional<Match> best;
        forEach(text, [&](Match match) { best = match; });
        return best;
    }

    // Calls `visit` for every entry that is a prefix of the text, the shortest first.
    template<typename Visit>
    void forEach(std::string_view text, const Visit& visit) const {
        if (text.empty()) {
            return;
        }
        std::uint32_t node = m_root[static_cast<unsigned char>(text[0])];
        for (std::size_t depth = 1; node != kNone; ++depth) {
            if (m_nodes[node].number != kNone) {
                visit(Match{depth, m_nodes[node].number});
            }
            node = depth < text.size() ? child(m_nodes[node], static_cast<unsigned char>(text[depth])) : kNone;
        }
    }

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    struct Node {
        std::uint32_t firstChild = 0; // children are contiguous and sorted by label
        std::uint32_t number = kNone; // number of the entry that ends here
        std::uint16_t children = 0;
        unsigned char label = 0; // the byte on the edge to this node
    };
    [[nodiscard]] std::uint32_t child(const Node& node, unsigned char label) const;

    std::array<std::uint32_t, 256> m_root{};
    std::vector<Node> m_nodes;
};

} // namespace gufo::text
