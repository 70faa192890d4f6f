// Compares the tensors of a model with those in the files that were written from it.
#pragma once

#include "formats/save/saving.h"

namespace gufo::saving {

// Reads a file that was written, with the others of its set.
using ReadWritten = Result<std::shared_ptr<const Model>> (*)(std::shared_ptr<const ByteSource> file,
                                                             const JobContext& job);

// Both functions fill in the report. hashAfter() opens the written model with `read`. Error: VerificationFailed.
[[nodiscard]] Result<> hashBefore(SaveReport& report, const Model& edited, const SaveTarget& target,
                                  const JobContext& job);
[[nodiscard]] Result<> hashAfter(SaveReport& report, const Model& edited, const SaveTarget& target,
                                 const std::filesystem::path& written, ReadWritten read, const JobContext& job);

} // namespace gufo::saving
