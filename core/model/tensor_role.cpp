#include "model/tensor_role.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace gufo {
namespace {

constexpr auto kEmbedding = TensorGroup::Embedding;
constexpr auto kAttention = TensorGroup::Attention;
constexpr auto kFeedForward = TensorGroup::FeedForward;
constexpr auto kRecurrent = TensorGroup::Recurrent;
constexpr auto kNorm = TensorGroup::Norm;
constexpr auto kOutput = TensorGroup::Output;
constexpr auto kOther = TensorGroup::Other;

constexpr bool kModel = false; // once per model
constexpr bool kBlock = true;  // in every block
constexpr bool kExperts = true;

constexpr auto kRoles = std::to_array<RoleFact>({
#define GUFO_ROLE(name, group, perBlock, experts, order, aliases, words) {name, group, perBlock, experts, order},
#include "model/tensor_roles.inc"
#undef GUFO_ROLE
});

// The other spellings of each role, in the order of kRoles.
constexpr auto kAliases = std::to_array<std::string_view>({
#define GUFO_ROLE(name, group, perBlock, experts, order, aliases, words) aliases,
#include "model/tensor_roles.inc"
#undef GUFO_ROLE
});

// Calls visit(alias) for each of the names that the text separates by spaces.
constexpr void forEachAlias(std::string_view text, const auto& visit) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

constexpr std::size_t kNames = [] {
    std::size_t names = kRoles.size();
    for (const std::string_view aliases : kAliases) {
        forEachAlias(aliases, [&](std::string_view) { ++names; });
    }
    return names;
}();

struct Entry {
    std::string_view name;
    bool perBlock;
    std::uint16_t role; // index into kRoles

    [[nodiscard]] constexpr auto key() const { return std::tuple(name, perBlock); }
};

constexpr auto kIndex = [] {
    std::array<Entry, kNames> index{};
    std::size_t n = 0;
    for (std::uint16_t role = 0; role < kRoles.size(); ++role) {
        const bool perBlock = kRoles.at(role).perBlock;
        index.at(n++) = {kRoles.at(role).name, perBlock, role};
        forEachAlias(kAliases.at(role), [&](std::string_view alias) { index.at(n++) = {alias, perBlock, role}; });
    }
    std::ranges::sort(index, {}, &Entry::key);
    return index;
}();
static_assert(std::ranges::adjacent_find(kIndex, {}, &Entry::key) == kIndex.end(), "each name once");

} // namespace

const RoleFact* findRole(std::string_view name, bool perBlock) {
    const auto* row = std::ranges::lower_bound(kIndex, std::tuple(name, perBlock), {}, &Entry::key);
    return row != kIndex.end() && row->key() == std::tuple(name, perBlock) ? &kRoles.at(row->role) : nullptr;
}

std::optional<std::size_t> dimensionOfTokens(const TensorName& name) {
    constexpr auto kRoles = std::to_array<std::string_view>(
        {"token_embd", "output", "per_layer_token_embd", "nextn.embed_tokens", "nextn.shared_head_head"});
    if (!name.prefix.empty() || name.fact == nullptr || std::ranges::find(kRoles, name.fact->name) == kRoles.end()) {
        return std::nullopt;
    }
    return name.suffix == "weight" ? std::optional<std::size_t>(1)
           : name.suffix == "bias" ? std::optional<std::size_t>(0)
                                   : std::nullopt;
}

std::span<const RoleFact> roleFacts() { return kRoles; }

} // namespace gufo
