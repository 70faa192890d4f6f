// The models in a folder: every file by itself, and every set once.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace gufo {

struct FolderModels {
    std::vector<std::shared_ptr<const Model>> models; // sorted by the names of their first files
    // Why files whose names promise a model are left out: those that cannot be read, and sets that are incomplete.
    std::vector<Error> left;
};

// Opens the models whose names satisfy `isWanted`, at most a thousand files. A folder that cannot be listed has none;
// after a stop request, those read so far are returned.
using IsWanted = bool (*)(const std::filesystem::path& fileName);
[[nodiscard]] FolderModels modelsInFolder(const std::filesystem::path& folder, const JobContext& job = {},
                                          IsWanted isWanted = nullptr);

} // namespace gufo
