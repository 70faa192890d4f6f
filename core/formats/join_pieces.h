// Joins the pieces of a file (file_pieces.h) into the file that they were cut from.
//
// Threads: any but the UI thread, because files are read and written.
#pragma once

#include "formats/file_pieces.h"
#include "formats/saving.h"

namespace gufo {

// Writes `out` completely or not at all; an existing file is replaced when the new one is complete. With
// SaveOptions::verify the report has the SHA-256 of all bytes before and after. Progress is in bytes. Errors: those of
// MappedFile::open and of saving a new file; InvalidArgument if `out` is one of the pieces; VerificationFailed.
[[nodiscard]] Result<SaveReport> joinPieces(const PieceSet& set, const std::filesystem::path& out,
                                            const SaveOptions& options = {}, const JobContext& job = {});

} // namespace gufo
