// Shows the plan of a conversion: as text, and as JSON with every detail.
#pragma once

#include "convert/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace gufo::cli {

class Console;

struct PlanShown {
    const convert::ConversionPlan& plan;
    std::uint64_t fileBytes = 0;
    // For each row the largest error of a weight, nothing where that is not known; empty if nothing was measured.
    std::vector<std::optional<double>> losses{};
};

// Prints the totals and the omitted tensors; before them, if `everything` is true, each tensor and each key.
void printPlan(const PlanShown& shown, bool everything, Console& console);
// `output` is the file that was written; null if there is none.
void printPlanJson(const PlanShown& shown, const std::string* output, Console& console);

} // namespace gufo::cli
