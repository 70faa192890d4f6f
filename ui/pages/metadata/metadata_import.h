// Reads keys to be imported from a file. For jobs.
#pragma once

#include "ui/pages/metadata/models/import_model.h"

#include <filesystem>

namespace gufo::ui {

// Reads the keys of a model's file, or of metadata exported as JSON. Errors: those of openModel and of the JSON reader.
[[nodiscard]] Result<std::vector<ImportedKey>> readKeys(const std::filesystem::path& path, const JobContext& job);

// Reads a whole text file. Errors: ReadFailed; LimitExceeded.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes);

} // namespace gufo::ui
