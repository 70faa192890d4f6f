// Makes changes on the state of a document: checks each against the rules that a file must keep, and notes its inverse.
#pragma once

#include "document/edit_state.h"

namespace gufo::edit {

struct Applied {
    std::vector<Piece> inverse; // in the order in which it is to be done
    TouchedParts touched;
};

// All of them, or none. Errors: those of Document::apply.
[[nodiscard]] Result<Applied> applyChanges(State& state, const std::vector<Change>& changes);

// What a piece touches, when it is done on the state as it is.
void addTouched(TouchedParts& touched, const Piece& piece);

} // namespace gufo::edit
