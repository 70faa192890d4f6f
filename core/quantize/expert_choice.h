// Which experts a model keeps, as people say it: a number, an importance matrix or a list.
//
// Threads: any but the UI thread, because files are read.
#pragma once

#include "base/job_context.h"
#include "document/expert_pruning.h"

#include <filesystem>
#include <optional>
#include <string>

namespace gufo {

// `wanted` is the number of experts of each block that stay, or the path of an importance matrix (all experts that it
// counts stay) or of a list (parseKeptExperts()). For a number, `imatrix` counts the experts; if it is not given, the
// importance matrix counts them that the model names and that lies beside it. Fails with the file that cannot be read,
// as mostUsedExperts() and parseKeptExperts() do, or with InvalidArgument (Detail::ExpertsNeedCounts, NoExperts).
[[nodiscard]] Result<KeptExperts> chosenExperts(const Model& model, const std::string& wanted,
                                                const std::optional<std::filesystem::path>& imatrix,
                                                const JobContext& job = {});

} // namespace gufo
