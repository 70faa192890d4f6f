#include "text/tokenizer/byte_trie.h"

#include <algorithm>

namespace gufo::text {
namespace {

// A node whose children are not made yet, with the sorted entries that share its first `depth` bytes.
struct Pending {
    std::uint32_t node;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t depth;
};

} // namespace

ByteTrie::ByteTrie(std::vector<Entry> entries) {
    m_root.fill(kNone);
    std::erase_if(entries, [](const Entry& entry) { return entry.first.empty(); });
    std::ranges::sort(entries);

    std::vector<Pending> level; // breadth first, so that siblings are contiguous
    std::vector<Pending> nextLevel;
    const auto addChildren = [&](std::uint32_t begin, std::uint32_t end, std::uint32_t depth, const auto& add) {
        while (begin < end) {
            const char label = entries[begin].first[depth];
            std::uint32_t next = begin + 1;
            while (next < end && entries[next].first[depth] == label) {
                ++next;
            }
            const auto node = static_cast<std::uint32_t>(m_nodes.size());
            m_nodes.push_back({.label = static_cast<unsigned char>(label)});
            add(node);
            nextLevel.push_back({node, begin, next, depth + 1});
            begin = next;
        }
    };
    addChildren(0, static_cast<std::uint32_t>(entries.size()), 0,
                [&](std::uint32_t node) { m_root[m_nodes[node].label] = node; });
    while (!nextLevel.empty()) {
        level.swap(nextLevel);
        nextLevel.clear();
        for (Pending at : level) {
            if (entries[at.begin].first.size() == at.depth) {
                m_nodes[at.node].number = entries[at.begin].second;
                while (at.begin < at.end && entries[at.begin].first.size() == at.depth) {
                    ++at.begin;
                }
            }
            m_nodes[at.node].firstChild = static_cast<std::uint32_t>(m_nodes.size());
            addChildren(at.begin, at.end, at.depth, [&](std::uint32_t) { ++m_nodes[at.node].children; });
        }
    }
}

std::uint32_t ByteTrie::child(const Node& node, unsigned char label) const {
    const auto first = m_nodes.begin() + node.firstChild;
    const auto last = first + node.children;
    const auto found = std::lower_bound(first, last, label, [](const Node& n, unsigned char l) { return n.label < l; });
    return found != last && found->label == label ? static_cast<std::uint32_t>(found - m_nodes.begin()) : kNone;
}

} // namespace gufo::text
