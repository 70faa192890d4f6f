#include "analysis/compare/comparison_order.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace gufo {
namespace {

// Reverses the bits of a rank, which gives the order 0, the middle, the quarters …
std::uint32_t reversed(std::uint32_t rank) {
    std::uint32_t result = 0;
    for (int i = 0; i < 32; ++i) {
        result = result << 1U | (rank >> i & 1U);
    }
    return result;
}

// Assigns each key a step, so that the keys are visited in coarse strides first and then in the gaps.
template<typename Key>
class Steps {
public:
    void add(const Key& key) { m_steps.emplace(key, 0); }
    void number() {
        std::uint32_t next = 0;
        std::vector<std::pair<std::uint32_t, std::uint32_t*>> coarse;
        for (auto& [key, step] : m_steps) {
            coarse.emplace_back(reversed(next++), &step);
        }
        std::ranges::sort(coarse);
        for (std::uint32_t i = 0; i < coarse.size(); ++i) {
            *coarse[i].second = i;
        }
    }
    // The step of a key.
    [[nodiscard]] std::uint64_t operator[](const Key& key) const { return m_steps.at(key); }
    [[nodiscard]] std::uint64_t size() const { return m_steps.size(); }

private:
    std::map<Key, std::uint32_t> m_steps;
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
    Steps<Block> blocks;
    Steps<Role> roles;
    for (const TensorMatch& row : matches.rows) {
        blocks.add(blockOf(row));
        roles.add(roleOf(row));
    }
    blocks.number();
    roles.number();
    // Each pass over the roles takes one block of every role, and a different block for each.
    std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::size_t>> order;
    order.reserve(matches.rows.size());
    for (std::size_t i = 0; i < matches.rows.size(); ++i) {
        const TensorMatch& row = matches.rows[i];
        const std::uint64_t role = roles[roleOf(row)];
        const std::uint64_t shift = role * blocks.size() / roles.size();
        const std::uint64_t pass = (blocks[blockOf(row)] + shift) % blocks.size();
        order.emplace_back(reversed(row.expert.value_or(0)), pass, role, i);
    }
    std::ranges::sort(order);
    std::vector<std::size_t> rows;
    rows.reserve(order.size());
    for (const auto& entry : order) {
        rows.push_back(std::get<3>(entry));
    }
    return rows;
}

} // namespace gufo
