// The shortest way from the base to the edited model, and back: what a draft keeps, and what reverting everything does.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

// `current` is the state's snapshot.
[[nodiscard]] std::vector<Change> changesFromBase(const State& state, const Model& current);
[[nodiscard]] std::vector<Change> changesToBase(const State& state, const Model& current);

} // namespace gufo::edit
