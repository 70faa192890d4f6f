#include "ui/pages/tensors/models/tensor_order.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kLookEvery = 4'096;

// Negative, 0 or positive. Missing values come last.
template<typename T>
int orderOf(const std::optional<T>& a, const std::optional<T>& b) {
    if (!a || !b) {
        return static_cast<int>(!a) - static_cast<int>(!b);
    }
    return *a < *b ? -1 : static_cast<int>(*b < *a);
}

} // namespace

Result<std::vector<TensorIndex>> TensorOrder::find(const JobContext& job) const {
    std::vector<TensorIndex> shown;
    shown.reserve(rows->count());
    for (std::size_t i = 0; i < rows->count(); ++i) {
        const TensorIndex tensor(i);
        if (i % kLookEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (filter.matchesAll() || filter.matches(rows->info(tensor), rows->name(tensor))) {
            shown.push_back(tensor);
        }
    }
    const auto sortBy = [&](const auto& order) {
        std::ranges::stable_sort(
            shown, [&](TensorIndex a, TensorIndex b) { return ascending ? order(a, b) < 0 : order(a, b) > 0; });
    };
    if (column < 0) {
        return shown;
    }
    const auto sorted = static_cast<TensorColumn>(column);
    if (showsWeights(column)) {
        const auto of = [this](TensorIndex tensor) {
            return tensor.value < deviations.size() ? deviations[tensor.value] : std::nullopt;
        };
        sortBy([&](TensorIndex a, TensorIndex b) { return orderOf(of(a), of(b)); });
    } else if (sorted == TensorColumn::Block || sorted == TensorColumn::Role) { // names are read only once
        std::vector<TensorName> names(rows->count());
        for (const TensorIndex tensor : shown) {
            names[tensor.value] = rows->parsed(tensor);
        }
        sortBy([&](TensorIndex a, TensorIndex b) {
            const TensorName& left = names[a.value];
            const TensorName& right = names[b.value];
            return sorted == TensorColumn::Block ? orderOf(left.block, right.block) : left.role.compare(right.role);
        });
    } else {
        sortBy([&](TensorIndex a, TensorIndex b) { return rows->compare(a, b, sorted); });
    }
    return shown;
}

} // namespace gufo::ui
