// Applies changes to the state of a document: checks each against the rules of saving (save_rules.h) and records its
// inverse.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

struct Applied {
    std::vector<Piece> inverse; // in the order of execution
    TouchedParts touched;
};

// Applies all changes or none. Errors: those of Document::apply.
[[nodiscard]] Result<Applied> applyChanges(State& state, const std::vector<Change>& changes);

// Adds what `piece` touches. Must be called when the piece is applied, on the state at that time.
void addTouched(TouchedParts& touched, const Piece& piece);

} // namespace gufo::edit
