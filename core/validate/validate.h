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
    std::vector<Finding> findings;              // reading's and the checks', worst first, then by place in the file
    std::uint32_t checksPassed = 0;             // run and found nothing
    std::vector<std::string_view> checksNotRun; // names: "weights_finite" without `deep`
    std::vector<std::string_view>
        checksWithoutCase; // names: the file has nothing for them to check ("merges", "parts")
};

// Errors: Cancelled, FileChangedWhileReading. Progress in bytes when deep.
[[nodiscard]] Result<Validation> validate(const Model& model, const ValidateOptions& options = {},
                                          const JobContext& job = {});

// What reading found, and those of the checks that look at keys alone: fast enough for after each edit (a millisecond).
[[nodiscard]] std::vector<Finding> checkKeys(const Model& model);

} // namespace gufo
