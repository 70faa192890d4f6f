// The changes that take one difference from the base back.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

[[nodiscard]] std::vector<Change> revertOne(const State& state, const Difference& difference);

} // namespace gufo::edit
