// Compares the edited model with the base and makes the rows of the review.
#pragma once

#include "document/difference.h"
#include "document/lineage.h"

namespace gufo::edit {

// The result is empty exactly if saving would write the same keys and tensors.
[[nodiscard]] std::vector<Difference> differencesOf(const Lineage& lineage);

} // namespace gufo::edit
