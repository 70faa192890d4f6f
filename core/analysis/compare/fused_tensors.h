// Tensors that contain several matrices, one below the other: query, key and value, or gate and up. A table
// (fused_tensors.cpp) says which architectures have them, and the order and number of rows of their parts.
#pragma once

#include "model/model.h"
#include "model/tensor_role.h"

#include <string_view>
#include <vector>

namespace gufo {

struct FusedPart {
    std::string_view role; // a name of the table of roles: "attn_q"
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
};
// The parts of a matrix of `rows` rows (of one expert; for a bias, its elements). Empty if the tensor is not fused or
// if the hyper-parameters do not add up to its number of rows.
[[nodiscard]] std::vector<FusedPart> fusedParts(const Model& model, const TensorName& name, std::uint64_t rows);

} // namespace gufo
