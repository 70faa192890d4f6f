// What is wrong with the result of a conversion before it is written.
#pragma once

#include "convert/plan.h"

namespace gufo::convert {

// Adds to the findings of a plan, which has none yet, what keeps its result from being of use, and counts it as its
// obstacles: parts of the source that are missing, or a configuration that contradicts the tensors. Then follow the
// other errors that validate() would find in the keys and tensors of the result, such as keys that a folder without a
// complete configuration does not state.
void addObstacles(ConversionPlan& plan, const Model& source);

} // namespace gufo::convert
