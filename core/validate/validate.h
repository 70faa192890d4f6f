// Checks of a whole model against the catalogue, the conventions and itself, beyond what reading finds.
#pragma once

#include "base/job.h"
#include "model/finding.h"
#include "model/model.h"

#include <string_view>
#include <vector>

namespace gufo {

struct ValidateOptions {
    bool deep = false; // also reads every weight: NaN and infinity
};

struct Validation {
    std::vector<Finding> findings;  // reading's and the checks', worst first, then by place in the file
    std::uint32_t checksPassed = 0; // run and found nothing
    // Names: "weights_finite" without `deep`, and those of which the file has nothing ("merges", "parts").
    std::vector<std::string_view> checksNotRun;
};

// Errors: Cancelled, FileChangedWhileReading. Progress in bytes when deep.
[[nodiscard]] Result<Validation> validate(const Model& model, const ValidateOptions& options = {},
                                          const JobContext& job = {});

} // namespace gufo
