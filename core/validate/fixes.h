// The repairs of findings: changes that make a finding go away without making another one. What cannot be repaired
// without knowing the original model has none.
#pragma once

#include "model/change.h"
#include "model/finding.h"
#include "model/model.h"

#include <span>
#include <vector>

namespace gufo {

// To be made as one step. Empty: there is none, for this finding or at all. `model` is the one that the finding is of.
// Costs at most a walk over the vocabulary.
[[nodiscard]] std::vector<Change> fixFor(const Finding& finding, const Model& model);

// Codes that may have one: those with a row in the table.
[[nodiscard]] std::vector<FindingCode> fixableCodes();

} // namespace gufo
