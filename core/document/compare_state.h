// Finds how the edited model differs from the base: the rows of the review.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

// `current` is the state's snapshot. Empty exactly where saving would write the same keys and tensors.
[[nodiscard]] std::vector<Difference> differencesOf(const State& state, const Model& current);

// Which key (tensor) of the base each one of now is; kNone: made by an edit.
inline constexpr std::size_t kNone = ~std::size_t{0};
[[nodiscard]] std::vector<std::size_t> matchKeys(const State& state);
[[nodiscard]] std::vector<std::size_t> matchTensors(const State& state);

// Of a list of such indices, those that do not stand in ascending order: the fewest possible.
[[nodiscard]] std::vector<bool> movedOnes(const std::vector<std::size_t>& matched);

// Whether a tensor's bytes are those of one of the base.
[[nodiscard]] bool sameTensor(const Tensor& now, const TensorInfo& old);

// Whether both have the same keys, values and tensors in the same order.
[[nodiscard]] bool sameContent(const Model& base, const Model& current);

} // namespace gufo::edit
