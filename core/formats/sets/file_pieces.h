// The pieces of a model's file that was cut at arbitrary bytes, because a site limits the size of files:
// "m.gguf-split-a", "m.gguf.part1of2", "m.gguf.001". In contrast to shards, only all of them together are a model.
#pragma once

#include "base/byte_source.h"
#include "formats/save/saving.h"

#include <string>
#include <vector>

namespace gufo {

struct PieceSet {
    std::filesystem::path whole;               // the file that was cut
    std::vector<std::filesystem::path> pieces; // in order
    std::string next{}; // the name of the piece that would follow; empty if the names state the number of pieces
};

// Returns the set to which a file belongs by its name, with the pieces that its folder contains; nothing if it is not a
// piece. Takes the time of listing the folder. Errors: PieceMissing.
[[nodiscard]] Result<std::optional<PieceSet>> piecesOfFile(const std::filesystem::path& file);

// Joins the pieces of a file into the file that they were cut from, on any thread but the UI thread.
//
// Writes `out` completely or not at all; an existing file is replaced when the new one is complete. With
// SaveOptions::verify the report has the SHA-256 of all bytes before and after. Progress is in bytes. Errors: the
// errors of MappedFile::open and of saving a new file; InvalidArgument if `out` is one of the pieces;
// VerificationFailed.
[[nodiscard]] Result<SaveReport> joinPieces(const PieceSet& set, const std::filesystem::path& out,
                                            const SaveOptions& options = {}, const JobContext& job = {});

} // namespace gufo
