// Clone and copy: writes files anew beside their places and renames them into it.
#pragma once

#include "formats/gguf/save/planned_save.h"

namespace gufo::gguf {

// A stretch of the new file behind its header.
struct DataPiece {
    std::shared_ptr<const ByteSource> source;
    ByteRange range;          // in the source
    std::uint64_t offset = 0; // in the new file
    // Tensor whose byte order changes.
    std::optional<std::uint32_t> swappedType{};
};

struct NewFile {
    std::filesystem::path path; // resolved
    std::vector<std::byte> header;
    std::vector<DataPiece> pieces;
    std::uint64_t size = 0;
    bool replaces = false;     // a file is there, whose owner, mode and attributes it gets
    bool clone = false;        // the one piece shares the source's blocks
    std::uint64_t written = 0; // out: bytes
};

// The pieces for a content whose tensors are written one by one; `tail` follows them. Sources: files of `model`.
[[nodiscard]] std::vector<DataPiece> piecesOf(const FileContent& content, const Model& model,
                                              std::uint64_t headerBytes);

// Writes all, then gives them their names: one by rename, several under a journal, all or none. A clone that the file
// system refuses is an error with CannotClone's name in args (StrategyImpossible). Progress in bytes. Errors as
// gguf::save().
[[nodiscard]] Result<> writeNewFiles(std::span<NewFile> files, FileOperations& operations, const JobContext& job);

// Names that temporary files have.
[[nodiscard]] bool isTemporaryName(std::string_view name);

} // namespace gufo::gguf
