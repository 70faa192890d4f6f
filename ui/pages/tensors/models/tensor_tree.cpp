#include "ui/pages/tensors/models/tensor_tree.h"

#include "ui/messages/figure_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr std::size_t kLookEvery = 4'096;

// The groups that contain a tensor, outermost first.
QStringList pathOf(const TensorName& name, TensorTree::Grouping grouping) {
    const QString role = displayText(name.prefix) + displayText(name.role);
    const QString block = name.block ? displayText(name.prefix) + QStringLiteral("blk.%1").arg(*name.block) : QString();
    QStringList path;
    if (grouping == TensorTree::Grouping::Blocks) {
        if (name.block) {
            path << block;
        }
        if (name.expert) {
            path << role;
        }
    } else {
        path << role;
        if (name.expert && name.block) {
            path << block;
        }
    }
    return path;
}

auto keyOf(const TensorName& name, TensorIndex tensor, TensorTree::Grouping grouping) {
    const int order = name.fact != nullptr ? name.fact->order : std::numeric_limits<int>::max();
    const std::int64_t block = name.block ? std::int64_t(*name.block) : -1; // tensors without a block come first
    const std::int64_t group = grouping == TensorTree::Grouping::Blocks ? block : std::int64_t(block >= 0);
    return std::tuple(name.prefix, group, order, name.role, block, name.expert.value_or(0), tensor);
}

} // namespace

Result<TensorTree> TensorTree::build(const TensorRows& rows, const text::TensorFilter& filter, Grouping grouping,
                                     const JobContext& job) {
    TensorTree tree;
    tree.leafOf.assign(rows.count(), 0);
    std::vector<TensorName> names(rows.count());
    std::vector<TensorIndex> shown;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        const TensorIndex tensor(i);
        if (i % kLookEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (filter.matchesAll() || filter.matches(rows.info(tensor), rows.name(tensor))) {
            shown.push_back(tensor);
            names[i] = rows.parsed(tensor);
        }
    }
    std::ranges::sort(shown, {}, [&](TensorIndex tensor) { return keyOf(names[tensor.value], tensor, grouping); });
    std::map<std::pair<std::size_t, QString>, std::size_t> groups;
    std::size_t done = 0;
    for (const TensorIndex tensor : shown) {
        if (done++ % kLookEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        std::size_t parent = 0;
        for (const QString& label : pathOf(names[tensor.value], grouping)) {
            const auto [found, isNew] = groups.try_emplace({parent, label}, 0);
            if (isNew) {
                found->second = tree.addNode(parent, label, {});
            }
            parent = found->second;
        }
        tree.leafOf[tensor.value] = tree.addNode(parent, rows.name(tensor), tensor);
        tree.addUp(rows.info(tensor), tree.leafOf[tensor.value]);
    }
    return tree;
}

std::size_t TensorTree::addNode(std::size_t parent, QString label, std::optional<TensorIndex> tensor) {
    const std::size_t id = nodes.size();
    nodes.push_back({.parent = parent,
                     .row = static_cast<int>(nodes[parent].children.size()),
                     .label = std::move(label),
                     .tensor = tensor});
    nodes[parent].children.push_back(id);
    return id;
}

void TensorTree::addUp(const TensorInfo& info, std::size_t leaf) {
    for (std::size_t id = leaf; id != 0; id = nodes[id].parent) {
        Node& node = nodes[id];
        const bool same = node.typeId == info.typeId && node.ownType == info.ownType;
        node.typeId = node.tensors == 0 || same ? std::optional(info.typeId) : std::nullopt;
        node.ownType = info.ownType;
        ++node.tensors;
        node.weights += info.weights();
        node.bytes += info.bytes.value_or(0);
    }
}

} // namespace gufo::ui
