#include "ui/pages/tensors/models/tensor_order.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kLookEvery = 4'096;

// Negative, 0 or positive.
template<typename T>
int orderOf(const T& a, const T& b) {
    return a < b ? -1 : static_cast<int>(b < a);
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
    // Tensors without a value are last in either direction.
    const auto sortBy = [&](const auto& order, const auto& hasValue) {
        const auto none = std::ranges::stable_partition(shown, hasValue);
        std::ranges::stable_sort(shown.begin(), none.begin(), [&](TensorIndex a, TensorIndex b) {
            return ascending ? order(a, b) < 0 : order(a, b) > 0;
        });
    };
    if (column < 0) {
        return shown;
    }
    const auto always = [](TensorIndex) { return true; };
    const auto sorted = static_cast<TensorColumn>(column);
    if (showsWeights(column)) {
        sortBy([&](TensorIndex a, TensorIndex b) { return orderOf(*deviations[a.value], *deviations[b.value]); },
               [&](TensorIndex tensor) { return tensor.value < deviations.size() && deviations[tensor.value]; });
    } else if (sorted == TensorColumn::Block || sorted == TensorColumn::Role) { // names are read only once
        std::vector<TensorName> names(rows->count());
        for (const TensorIndex tensor : shown) {
            names[tensor.value] = rows->parsed(tensor);
        }
        if (sorted == TensorColumn::Block) {
            sortBy([&](TensorIndex a, TensorIndex b) { return orderOf(*names[a.value].block, *names[b.value].block); },
                   [&](TensorIndex tensor) { return names[tensor.value].block.has_value(); });
        } else {
            sortBy([&](TensorIndex a, TensorIndex b) { return names[a.value].role.compare(names[b.value].role); },
                   always);
        }
    } else if (sorted == TensorColumn::Size || sorted == TensorColumn::BitsPerWeight) {
        sortBy([&](TensorIndex a, TensorIndex b) { return rows->compare(a, b, sorted); },
               [&](TensorIndex tensor) { return rows->info(tensor).bytes.has_value(); });
    } else {
        sortBy([&](TensorIndex a, TensorIndex b) { return rows->compare(a, b, sorted); }, always);
    }
    return shown;
}

} // namespace gufo::ui
