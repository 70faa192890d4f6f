// Executes a planned save in place. The guarantees in gguf/write/save.h hold for every container.
#pragma once

#include "formats/save/planned_file.h"
#include "formats/save/saving.h"

namespace gufo::saving {

// Compares the tensors of a model with the tensors in the files that were written from it.

// Reads a file that was written, with the others of its set.
using ReadWritten = Result<std::shared_ptr<const Model>> (*)(std::shared_ptr<const ByteSource> file,
                                                             const JobContext& job);

// Both functions fill in the report. hashAfter() opens the written model with `read`. Error: VerificationFailed.
[[nodiscard]] Result<> hashBefore(SaveReport& report, const Model& edited, const SaveTarget& target,
                                  const JobContext& job);
[[nodiscard]] Result<> hashAfter(SaveReport& report, const Model& edited, const SaveTarget& target,
                                 const std::filesystem::path& written, ReadWritten read, const JobContext& job);

// Plans the save of a container.
using PlanSave = Result<PlannedSave> (*)(const Model& base, const Model& edited, const SaveTarget& target,
                                         const SaveOptions& options, FileOperations& operations, Purpose purpose);

// What saving asks of a container.
struct ContainerSaving {
    PlanSave plan;
    ReadWritten read;
};

[[nodiscard]] Result<SavePlan> predict(PlanSave planSave, const Model& base, const Model& edited,
                                       const SaveTarget& target, const SaveOptions& options);
[[nodiscard]] Result<SaveReport> execute(ContainerSaving container, const Model& base, const Model& edited,
                                         const SaveTarget& target, const SaveOptions& options, const JobContext& job);

// Sets NewFile::replaces. Errors: IsDirectory, NotRegularFile, InvalidArgument (Detail::ReplacesHashedFile).
[[nodiscard]] Result<> findTarget(NewFile& file, FileOperations& operations);
// Writes new files and reports; sets NewFile::replaces of each. With SaveOptions::verify the model is compared with the
// first file, from which it is opened. Errors: the errors of writeNewFiles() and findTarget(); StrategyImpossible if a
// strategy other than copy is requested; InvalidArgument if a file of the model would be replaced, under any of its
// names; VerificationFailed.
[[nodiscard]] Result<SaveReport> saveNewFiles(ReadWritten read, const Model& edited, const SaveTarget& target,
                                              std::span<NewFile> files, const SaveOptions& options,
                                              const JobContext& job);
// Resolves symbolic links, even if the file does not exist yet.
[[nodiscard]] std::filesystem::path resolveNew(FileOperations& operations, const std::filesystem::path& path);

} // namespace gufo::saving
