// A whole model written to new files: Save as, split, merge, convert.
#pragma once

#include "formats/gguf/write/file_content.h"

namespace gufo::gguf {

struct NewContent {
    std::filesystem::path path; // resolved
    FileContent content;
    // What follows the last tensor, from a source of the model.
    std::shared_ptr<const ByteSource> tailSource{};
    ByteRange tail{};
};

// One file; or, where the name is that of a first shard of as many, a set. Errors: as joinedContent().
[[nodiscard]] Result<std::vector<NewContent>> contentsForSaveAs(const Model& edited, const SaveTarget& target,
                                                                const std::filesystem::path& path,
                                                                FileOperations& operations);

// Writes them all or none. Errors: as saveAs().
[[nodiscard]] Result<SaveReport> writeContents(const Model& edited, const SaveTarget& target,
                                               std::span<const NewContent> contents, const SaveOptions& options,
                                               const JobContext& job);

// Where symbolic links end, also where there is no file yet.
[[nodiscard]] std::filesystem::path resolveNew(FileOperations& operations, const std::filesystem::path& path);

} // namespace gufo::gguf
