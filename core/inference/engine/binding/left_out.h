// Tensors that a forward pass may leave out without another answer. All others that it has no use for are part of what
// the model was trained to do, and a run without them would be another model's.
#pragma once

#include <cstddef>
#include <string_view>

namespace gufo::inference {

// `name` is a tensor that is not used, of a model of `declared` blocks the first `run` of which are evaluated.
[[nodiscard]] bool mayBeLeftOut(std::string_view name, std::size_t run, std::size_t declared);

} // namespace gufo::inference
