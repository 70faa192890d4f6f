// The tensor with an embedding for each token.
#pragma once

#include "model/model.h"

#include <optional>

namespace gufo::ui {

// A matrix of whole rows by token whose values can be decoded: token_embd.weight, or what it is called in other
// containers. Nothing if there is none, or the file ends within it.
[[nodiscard]] std::optional<TensorIndex> embeddingTable(const Model& model);

} // namespace gufo::ui
