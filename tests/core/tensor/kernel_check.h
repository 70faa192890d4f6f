// The parts of kernel_check.
#pragma once

#include "base/cpu_features.h"

#include <string>

namespace gufo::test {

// Counts a check, and says so where it fails.
void check(bool holds, Isa isa, const std::string& what);

// kernel_check_inference.cpp; golden blocks of the types stand in `folder` (data/golden).
void checkProducts(Isa isa, const std::string& folder);
void checkRows(Isa isa);

} // namespace gufo::test
