// Writes importance matrices in the GGUF form, and files of unfinished ones, from which the collection can continue
// exactly where it stopped.
//
// For each tensor X there are X.in_sum2 [columns, matrices], the sums of squares, and X.counts [1, matrices], the rows
// that were summed. Both are F32, as other programs expect. An unfinished file has in addition X.in_sum2_exact as F64
// and the key gufo.imatrix.origin, which other programs ignore.
//
// Threads: any but the UI thread, because files are read and written.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

struct ImatrixEntry {
    std::string name; // of the tensor
    std::uint64_t columns = 0;
    std::vector<double> sums{};          // [matrix][column] of squared inputs
    std::vector<std::uint64_t> counts{}; // by matrix: rows that were summed
};

struct ImatrixContents {
    std::vector<ImatrixEntry> entries{}; // by name
    std::vector<std::string> datasets{};
    std::uint64_t chunks = 0;
    std::uint64_t chunkSize = 0; // tokens
};

// `origin`, if given, makes the file an unfinished one; it identifies what was read (the model, the text, the size of
// chunks). The file is replaced as a whole. Errors: the errors of OutputFile and gguf::Writer; Cancelled.
[[nodiscard]] Result<> writeImatrix(const ImatrixContents& contents, std::optional<std::uint64_t> origin,
                                    const std::filesystem::path& path, const JobContext& job = {});

struct StoredImatrix {
    ImatrixContents contents;
    std::optional<std::uint64_t> origin{}; // nothing: the file is complete, and `contents` has no entries
};
// Reads a file that writeImatrix() has written. Errors: the errors of Imatrix::open(); NotImatrix; InvalidArgument for
// an unfinished file whose parts do not match.
[[nodiscard]] Result<StoredImatrix> readStoredImatrix(const std::filesystem::path& path, const JobContext& job = {});

} // namespace gufo
