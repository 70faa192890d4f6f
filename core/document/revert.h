// The changes that revert single differences from the base.
#pragma once

#include "document/edit_state.h"

#include <span>

namespace gufo::edit {

[[nodiscard]] std::vector<Change> revertOne(const State& state, const Difference& difference);

// The same for several, each after those before it in the base, so that entries that were moved return to their old
// order. Takes n log n. `changes` lead from `base` to the current state of the document (Document::changes). Any thread
// may call it.
[[nodiscard]] std::vector<Change> revertSeveral(const std::shared_ptr<const Model>& base,
                                                const std::vector<Change>& changes,
                                                std::span<const Difference> differences);

// Applies changes to the state of a document: checks each against the rules of saving (save_rules.h) and records its
// inverse.
struct Applied {
    std::vector<Piece> inverse; // in the order of execution
    TouchedParts touched;
};

// Applies all changes or none. Errors: the errors of Document::apply.
[[nodiscard]] Result<Applied> applyChanges(State& state, const std::vector<Change>& changes);

// Adds what `piece` touches. Must be called when the piece is applied, on the state at that time.
void addTouched(TouchedParts& touched, const Piece& piece);

} // namespace gufo::edit
