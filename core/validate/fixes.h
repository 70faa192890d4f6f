// Repairs of findings: changes that remove a finding without causing another. A finding has no repair if that would
// need knowledge of the original model.
//
// Threads: all functions are thread-safe.
#pragma once

#include "model/change.h"
#include "model/finding.h"
#include "model/model.h"

#include <span>
#include <vector>

namespace gufo {

// Returns the changes, to be applied as one step; empty if there is no repair. `model` must be the one that was
// checked. Takes at most one walk over the vocabulary.
[[nodiscard]] std::vector<Change> fixFor(const Finding& finding, const Model& model);

// Whether writing the model to a new file removes findings of this code. No change to the model would.
[[nodiscard]] bool isMendedByCopy(FindingCode code);

// Whether the repair guesses nothing and loses nothing, so that it may be applied without a review. The others have
// consequences that the user has to weigh. `finding` must have a repair.
[[nodiscard]] bool isSoundFix(const Finding& finding, const Model& model);

// The codes with a row in the table of repairs. Not each of their findings can be repaired.
[[nodiscard]] std::vector<FindingCode> fixableCodes();

} // namespace gufo
