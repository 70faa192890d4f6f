// Writes a whole model to new files: Save as, split, merge, convert.
#pragma once

#include "formats/gguf/write/file_content.h"
#include "formats/save/new_files.h"

namespace gufo::gguf {

struct NewContent {
    std::filesystem::path path; // resolved
    FileContent content;
    // The bytes that follow the last tensor, from a source of the model.
    std::shared_ptr<const ByteSource> tailSource{};
    ByteRange tail{};
};

// The content of one file or, if the name is a name for the first of as many shards as the model has, of a set. Errors:
// as for joinedContent().
[[nodiscard]] Result<std::vector<NewContent>> contentsForSaveAs(const Model& edited, const SaveTarget& target,
                                                                const std::filesystem::path& path,
                                                                FileOperations& operations);

// Writes all files or none. Errors: as for saveAs().
[[nodiscard]] Result<SaveReport> writeContents(const Model& edited, const SaveTarget& target,
                                               std::span<const NewContent> contents, const SaveOptions& options,
                                               const JobContext& job);

// The pieces of a content whose tensors are written one by one. Their sources are files of `model`.
[[nodiscard]] std::vector<saving::DataPiece> piecesOf(const FileContent& content, const Model& model,
                                                      std::uint64_t headerBytes);

} // namespace gufo::gguf
