// Tensors that hold several matrices, one below the other: query, key and value; gate and up. One table
// (fused_tensors.cpp) says for which architectures, in which order and how many rows each has.
#pragma once

#include "model/model.h"
#include "model/tensor_role.h"

#include <string_view>
#include <vector>

namespace gufo {

struct FusedPart {
    std::string_view role; // as in the table of roles: "attn_q"
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
};
// The parts of a matrix of `rows` rows (of one expert; for a bias its elements) with that name in that model; empty
// where it is not fused, or where the hyper-parameters do not add up to its rows.
[[nodiscard]] std::vector<FusedPart> fusedParts(const Model& model, const TensorName& name, std::uint64_t rows);

} // namespace gufo
