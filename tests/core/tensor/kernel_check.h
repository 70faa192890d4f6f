// Functions shared by the parts of kernel_check.
#pragma once

#include "base/cpu_features.h"

#include <string>

namespace gufo::test {

// Counts a check and reports it if it fails.
void check(bool holds, Isa isa, const std::string& what);

// In kernel_check_inference.cpp; `folder` has the golden blocks (tests/data/golden).
void checkProducts(Isa isa, const std::string& folder);
void checkRows(Isa isa);
void checkRecurrence(Isa isa);

} // namespace gufo::test
