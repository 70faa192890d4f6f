#include "analysis/comparison_order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gufo {
namespace {

// Ranks in order of their bits from the lowest up: 0, the middle, the quarters …
std::uint32_t reversed(std::uint32_t rank) {
    std::uint32_t result = 0;
    for (int i = 0; i < 32; ++i) {
        result = result << 1U | (rank >> i & 1U);
    }
    return result;
}

// The bits of both in turn, highest first.
std::uint64_t interleaved(std::uint32_t a, std::uint32_t b) {
    std::uint64_t result = 0;
    for (int i = 31; i >= 0; --i) {
        result = result << 2U | (a >> i & 1U) << 1U | (b >> i & 1U);
    }
    return result;
}

// Numbers keys by their order.
template<typename Key>
class Ranks {
public:
    void add(const Key& key) { m_ranks.emplace(key, 0); }
    void number() {
        std::uint32_t next = 0;
        for (auto& [key, rank] : m_ranks) {
            rank = next++;
        }
    }
    [[nodiscard]] std::uint32_t operator[](const Key& key) const { return m_ranks.at(key); }

private:
    std::map<Key, std::uint32_t> m_ranks;
};

} // namespace

std::vector<std::size_t> comparisonOrder(const TensorMatches& matches) {
    using Block = std::pair<std::string_view, std::int64_t>;
    using Role = std::tuple<int, std::string_view, std::string_view>;
    const auto blockOf = [](const TensorMatch& row) {
        return Block(row.prefix, row.block ? static_cast<std::int64_t>(*row.block) : -1);
    };
    const auto roleOf = [](const TensorMatch& row) {
        return Role(row.fact != nullptr ? row.fact->order : 256, row.role, row.suffix);
    };
    Ranks<Block> blocks;
    Ranks<Role> roles;
    for (const TensorMatch& row : matches.rows) {
        blocks.add(blockOf(row));
        roles.add(roleOf(row));
    }
    blocks.number();
    roles.number();
    std::vector<std::tuple<std::uint32_t, std::uint64_t, std::size_t>> order;
    order.reserve(matches.rows.size());
    for (std::size_t i = 0; i < matches.rows.size(); ++i) {
        const TensorMatch& row = matches.rows[i];
        order.emplace_back(reversed(row.expert.value_or(0)),
                           interleaved(reversed(blocks[blockOf(row)]), reversed(roles[roleOf(row)])), i);
    }
    std::ranges::sort(order);
    std::vector<std::size_t> rows;
    rows.reserve(order.size());
    for (const auto& entry : order) {
        rows.push_back(std::get<2>(entry));
    }
    return rows;
}

} // namespace gufo
