// What an edited model changes: as minimal lists of changes from the base to the edited model (which drafts store) and
// back (which revert everything), and as rows of the review.
#pragma once

#include "document/difference.h"
#include "document/lineage.h"
#include "model/change.h"

namespace gufo::edit {

[[nodiscard]] std::vector<Change> changesFromBase(const Lineage& lineage);
[[nodiscard]] std::vector<Change> changesToBase(const Lineage& lineage);

// The rows of the tensors. They stay the same until a step touches tensors.
struct TensorDifferences {
    bool same = true; // saving would write the same tensors
    std::vector<Difference> rows;
};
[[nodiscard]] TensorDifferences tensorDifferencesOf(const Lineage& lineage);

// `keys` needs no tensors. The result is empty exactly if saving would write the same keys and tensors.
[[nodiscard]] std::vector<Difference> differencesOf(const Lineage& keys, const TensorDifferences& tensors);

} // namespace gufo::edit
