// Minimal lists of changes from the base to the edited model (which drafts store) and back (which revert everything).
#pragma once

#include "document/lineage.h"
#include "model/change.h"

namespace gufo::edit {

[[nodiscard]] std::vector<Change> changesFromBase(const Lineage& lineage);
[[nodiscard]] std::vector<Change> changesToBase(const Lineage& lineage);

} // namespace gufo::edit
