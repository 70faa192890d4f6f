// Reading keys to be taken over from a file; for a job.
#pragma once

#include "ui/pages/metadata/models/import_model.h"

#include <filesystem>

namespace gufo::ui {

// The keys of a model's file, or of metadata that was exported as JSON. Errors: those of openModel and of the JSON
// reader.
[[nodiscard]] Result<std::vector<ImportedKey>> readKeys(const std::filesystem::path& path, const JobContext& job);

// The whole of a text file. Errors: ReadFailed; LimitExceeded.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes);

} // namespace gufo::ui
