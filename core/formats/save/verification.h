// Compares the tensors of a model with those in the files that were written from it.
#pragma once

#include "formats/saving.h"

namespace gufo::saving {

// Both functions fill in the report. hashAfter() opens the written model. Error: VerificationFailed.
[[nodiscard]] Result<> hashBefore(SaveReport& report, const Model& edited, const SaveTarget& target,
                                  const JobContext& job);
[[nodiscard]] Result<> hashAfter(SaveReport& report, const Model& edited, const SaveTarget& target,
                                 const std::filesystem::path& written, const JobContext& job);

} // namespace gufo::saving
