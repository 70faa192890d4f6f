// Tells what the tensors of a PEFT adapter are by the names that PEFT gives them: pairs of factors, and whole tensors.
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

// A tensor of a module that was trained whole (modules_to_save), and takes the place of the base model's.
struct SavedTensor {
    std::string name; // in the base model: "lm_head.weight"
    TensorIndex tensor{0};
};

struct AdapterTensors {
    std::vector<AdapterModule> modules;
    std::vector<SavedTensor> saved;
};

// In the order of the file. Errors: NotSupported (Detail::NotAnAdapter: there is neither a factor nor a saved tensor;
// AdapterReplaces: there are tensors of other methods; PartMissing: a factor lacks its counterpart).
[[nodiscard]] Result<AdapterTensors> adapterTensors(const Model& adapter);

} // namespace gufo::convert
