// The order in which the rows of a comparison are taken.
#pragma once

#include "analysis/compare/match_tensors.h"

namespace gufo {

// All rows: coarse steps over blocks and roles first, then the gaps between them, so that a map of block × role fills
// evenly. Of a tensor of many experts the first comes with the other tensors, the rest in coarse steps too.
[[nodiscard]] std::vector<std::size_t> comparisonOrder(const TensorMatches& matches);

} // namespace gufo
