// Saves a model of any container, through the functions of its row in the table of containers.
//
// Threads: any. Of two simultaneous saves of the same file, one fails.
#pragma once

#include "formats/save/saving.h"

namespace gufo {

// The strategies of a model's container; empty if it cannot be saved in place.
[[nodiscard]] std::span<const SaveStrategy> saveStrategies(const Model& model);

// Predicts what a save in place would do, asking the file system and the system's processes; not on the UI thread.
// Errors: FormatReadOnly; the errors of the container (gguf/write/save.h).
[[nodiscard]] Result<SavePlan> planModelSave(const Model& base, const Model& edited, const SaveTarget& target,
                                             const SaveOptions& options = {});
// Save in place and under another name. Progress is in bytes. Errors: FormatReadOnly; the errors of the container.
[[nodiscard]] Result<SaveReport> saveModel(const Model& base, const Model& edited, const SaveTarget& target,
                                           const SaveOptions& options = {}, const JobContext& job = {});
[[nodiscard]] Result<SaveReport> saveModelAs(const Model& edited, const SaveTarget& target,
                                             const std::filesystem::path& path, const SaveOptions& options = {},
                                             const JobContext& job = {});
// Undoes or completes an interrupted save of a file of any container. Errors: the errors of (save/recover.h).
[[nodiscard]] Result<Recovery> recoverModel(const std::filesystem::path& file, MovedFile moved = MovedFile::Refuse,
                                            FileOperations* operations = nullptr);

} // namespace gufo
