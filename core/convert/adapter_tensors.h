// Finds the pairs of factors among the tensors of a PEFT adapter by the names that PEFT gives them.
#pragma once

#include "model/model.h"

#include <string>
#include <vector>

namespace gufo::convert {

// A module of the base model that the adapter changes, and its factors.
struct AdapterModule {
    std::string name;     // "model.layers.0.self_attn.q_proj"
    TensorIndex a{0};     // [inputs, rank]
    TensorIndex b{0};     // [rank, outputs]
    bool isTable = false; // a table of embeddings, whose inputs are tokens
};

// In the order of the file. Errors: NotSupported (Detail::NotAnAdapter: there is no factor; AdapterReplaces: there are
// tensors that are not pairs of factors; PartMissing: a factor lacks its counterpart).
[[nodiscard]] Result<std::vector<AdapterModule>> adapterModules(const Model& adapter);

} // namespace gufo::convert
