#include "formats/gguf/save/save.h"

#include "formats/gguf/save/planned_save.h"
#include "formats/gguf/write/new_model.h"
#include "formats/save/execute.h"

namespace gufo::gguf {

Result<SavePlan> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                          const SaveOptions& options) {
    return saving::predict(planSave, base, edited, target, options);
}

Result<SaveReport> save(const Model& base, const Model& edited, const SaveTarget& target, const SaveOptions& options,
                        const JobContext& job) {
    return saving::execute(planSave, base, edited, target, options, job);
}

Result<SaveReport> saveAs(const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                          const SaveOptions& options, const JobContext& job) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    auto contents = contentsForSaveAs(edited, target, path, operations);
    if (!contents) { // the fault is in a file that is read, such as a missing shard
        Error error = std::move(contents).error();
        return std::unexpected(error.file.empty() ? std::move(error).in(edited.path()) : std::move(error));
    }
    return writeContents(edited, target, *contents, options, job);
}

} // namespace gufo::gguf
