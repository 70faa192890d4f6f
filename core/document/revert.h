// The changes that revert single differences from the base.
#pragma once

#include "document/edit_state.h"

#include <span>

namespace gufo::edit {

[[nodiscard]] std::vector<Change> revertOne(const State& state, const Difference& difference);

// The same for several, each after those before it in the base, so that entries that were moved return to their old
// order. Takes n log n. `changes` are those of the document from `base` to its current state (Document::changes). Any
// thread may call it.
[[nodiscard]] std::vector<Change> revertSeveral(const std::shared_ptr<const Model>& base,
                                                const std::vector<Change>& changes,
                                                std::span<const Difference> differences);

} // namespace gufo::edit
