#include "model/finding_code.h"
#include "validate/checks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace gufo {
namespace {

// The parts of a model that number their blocks separately, and the key with the number of blocks.
struct PartRow {
    std::string_view prefix;
    std::string_view countKey;
};
constexpr auto kParts =
    std::to_array<PartRow>({{"", "block_count"}, {"enc.", "block_count"}, {"dec.", "decoder_block_count"}});

// Roles of a block, with their suffixes: "attn_q.weight".
using Roles = std::set<std::string>;
using RolesByBlock = std::map<std::uint32_t, Roles>;

std::map<std::string_view, RolesByBlock> rolesByPart(const CheckContext& context) {
    std::map<std::string_view, RolesByBlock> parts;
    for (const TensorName& name : context.names) {
        const bool counted = std::ranges::find(kParts, name.prefix, &PartRow::prefix) != kParts.end();
        if (name.block && counted) {
            parts[name.prefix][*name.block].insert(std::string(name.role) + "." + std::string(name.suffix));
        }
    }
    return parts;
}

// Blocks that may lack tensors: many files omit the blocks that predict further tokens.
std::uint64_t optionalBlocks(const CheckContext& context, std::uint64_t count) {
    return std::min(count, context.parameters.uint("nextn_predict_layers").value_or(0));
}

void checkPart(const CheckContext& context, FindingList& findings, const PartRow& part, const RolesByBlock& blocks) {
    const std::uint64_t count = context.parameters.uint(part.countKey).value_or(context.blocks);
    if (count == 0 || count > kMaxBlocks) {
        return;
    }
    std::uint64_t missing = 0;
    std::uint64_t first = 0;
    for (std::uint64_t i = 0; i < count - optionalBlocks(context, count); ++i) {
        if (!blocks.contains(static_cast<std::uint32_t>(i))) {
            first = missing++ == 0 ? i : first;
        }
    }
    if (missing != 0) {
        findings.add(FindingCode::BlocksMissing, Place::key(context.key("block_count")), {missing, first, count});
    }
    if (!blocks.empty() && blocks.rbegin()->first >= count) {
        findings.add(FindingCode::BlocksBeyondCount, Place::key(context.key("block_count")),
                     {blocks.rbegin()->first, count});
    }
}

// Whether the block lacks roles by design: no heads, no feed-forward, or shared keys and values.
bool mayLackRoles(const CheckContext& context, std::uint32_t block) {
    return context.parameters.uintAt("attention.head_count", block) == 0U ||
           context.parameters.uintAt("attention.head_count_kv", block) == 0U ||
           context.parameters.uintAt("feed_forward_length", block) == 0U ||
           context.parameters.uint("attention.shared_kv_layers").value_or(0) != 0 ||
           context.parameters.uint("nextn_predict_layers").value_or(0) != 0;
}

// A role that some blocks of an architecture do without.
struct OptionalRoleRow {
    std::string_view architecture;
    std::string_view role;
};
constexpr auto kOptionalRoles = std::to_array<OptionalRoleRow>({
    {"gemma4", "attn_v.weight"},         // where keys serve as values
    {"modern-bert", "attn_norm.weight"}, // the first block follows the norm of the embeddings
    {"t5", "attn_rel_b.weight"},         // all blocks share the first block's
    {"t5", "cross_attn_rel_b.weight"},
    {"t5encoder", "attn_rel_b.weight"},
});

bool isOptional(const CheckContext& context, std::string_view role) {
    return std::ranges::any_of(kOptionalRoles, [&](const OptionalRoleRow& row) {
        return row.role == role && context.architectureIs(row.architecture);
    });
}

// Whether the check of needed tensors says that the tensor is missing. For a model that is not written yet, only a gap
// among the blocks shows that a tensor is missing unintentionally (addObstacles() in convert/plan.cpp), so it is named
// again.
bool isNamed(const CheckContext& context, std::string_view prefix, std::uint32_t block, std::string_view role) {
    const std::string name = std::string(prefix) + "blk." + std::to_string(block) + "." + std::string(role);
    return context.scope != CheckContext::Scope::Structure && context.missingTensors.contains(name);
}

} // namespace

Result<CheckOutcome> checkBlockCount(const CheckContext& context, FindingList& findings) {
    if (!context.isJudged()) { // blocks of other architectures may be numbered in ways that are not known
        return CheckOutcome::NotApplicable;
    }
    const auto parts = rolesByPart(context);
    if (parts.empty()) {
        checkPart(context, findings, kParts.front(), {});
    }
    for (const PartRow& part : kParts) {
        if (const auto blocks = parts.find(part.prefix); blocks != parts.end()) {
            checkPart(context, findings, part, blocks->second);
        }
    }
    return CheckOutcome::Ran;
}

// Models mix kinds of blocks (dense and expert, attention and state space) with different roles. However, a rare kind
// of block whose roles are a proper subset of the usual ones is not taken for a separate kind: tensors were lost.
Result<CheckOutcome> checkBlockRoles(const CheckContext& context, FindingList& findings) {
    if (!context.isJudged()) {
        return CheckOutcome::NotApplicable;
    }
    for (const auto& [prefix, blocks] : rolesByPart(context)) {
        std::map<Roles, std::uint64_t> kinds;
        for (const auto& [block, roles] : blocks) {
            ++kinds[roles];
        }
        // The most common kind; among equally common ones that with the most roles.
        const auto usual = std::ranges::max_element(
            kinds, {}, [](const auto& kind) { return std::pair(kind.second, kind.first.size()); });
        const std::uint64_t maximum = std::max<std::uint64_t>(1, blocks.size() / 8);
        for (const auto& [block, roles] : blocks) {
            const bool rare = kinds[roles] <= maximum && roles != usual->first;
            // The first block of RWKV takes no value from a preceding block.
            const bool firstOfRecurrent =
                block == 0 && context.architecture != nullptr && context.architecture->recurrent;
            if (!rare || firstOfRecurrent || mayLackRoles(context, block) ||
                !std::ranges::includes(usual->first, roles) || usual->second * 2 < blocks.size()) {
                continue;
            }
            std::vector<std::string> lost;
            std::ranges::set_difference(usual->first, roles, std::back_inserter(lost));
            std::erase_if(lost, [&](const std::string& role) {
                return isOptional(context, role) || isNamed(context, prefix, block, role);
            });
            if (lost.empty()) {
                continue;
            }
            std::string list = lost.front();
            for (std::size_t i = 1; i < std::min<std::size_t>(lost.size(), 6); ++i) {
                list += ", " + lost[i];
            }
            findings.add(FindingCode::BlockIncomplete, {},
                         {std::string(prefix) + "blk." + std::to_string(block), list, lost.size()});
        }
    }
    return CheckOutcome::Ran;
}

} // namespace gufo
