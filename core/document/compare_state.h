// Compares the edited model with the base and makes the rows of the review.
#pragma once

#include "document/difference.h"
#include "document/lineage.h"

namespace gufo::edit {

// The rows of the tensors. They stay the same until a step touches tensors.
struct TensorDifferences {
    bool same = true; // saving would write the same tensors
    std::vector<Difference> rows;
};
[[nodiscard]] TensorDifferences tensorDifferencesOf(const Lineage& lineage);

// `keys` needs no tensors. The result is empty exactly if saving would write the same keys and tensors.
[[nodiscard]] std::vector<Difference> differencesOf(const Lineage& keys, const TensorDifferences& tensors);

} // namespace gufo::edit
