// Decides which tensors the forward pass may ignore without changing the answers. Any other unused tensor is part of
// what the model was trained to do, so a model that has one is refused.
#pragma once

#include <cstddef>
#include <string_view>

namespace gufo::inference {

// The beginning of the names of the decoder's tensors in a model that has an encoder too.
inline constexpr std::string_view kDecoder = "dec.";

// `name` is an unused tensor of a model with `declared` blocks, of which the first `run` are evaluated.
[[nodiscard]] bool mayBeLeftOut(std::string_view name, std::size_t run, std::size_t declared);

} // namespace gufo::inference
