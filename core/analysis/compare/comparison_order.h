// The order in which the rows of a comparison are processed.
#pragma once

#include "analysis/compare/match_tensors.h"

namespace gufo {

// All rows, first in coarse steps over blocks and roles and then in the gaps between them, so that a map of block ×
// role fills evenly. Of a tensor with many experts, the first expert comes together with the other tensors and the rest
// follow, also in coarse steps.
[[nodiscard]] std::vector<std::size_t> comparisonOrder(const TensorMatches& matches);

} // namespace gufo
