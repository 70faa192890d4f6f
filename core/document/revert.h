// The changes that revert a single difference from the base.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

[[nodiscard]] std::vector<Change> revertOne(const State& state, const Difference& difference);

} // namespace gufo::edit
