// The changes that take differences from the base back.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

[[nodiscard]] std::vector<Change> revertOne(const State& state, const Difference& difference);
[[nodiscard]] std::vector<Change> revertEverything(const State& state);

} // namespace gufo::edit
