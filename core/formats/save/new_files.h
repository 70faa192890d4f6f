// The strategies clone and copy: they write new files next to the destinations and rename them.
#pragma once

#include "base/file_operations.h"
#include "base/job_context.h"
#include "tensor/row_layout.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace gufo::saving {

// A range of the new file after its header.
struct DataPiece {
    std::shared_ptr<const ByteSource> source;
    ByteRange range;          // in the source
    std::uint64_t offset = 0; // in the new file
    // The layout of the tensor's rows if its byte order changes.
    std::optional<RowLayout> swapped{};
    SourceUse use = SourceUse::Own;
    // The hash of an imported tensor's bytes when it was taken (importHash), and its name for the error.
    std::optional<std::uint64_t> hash{};
    std::string_view tensor{};
};

struct NewFile {
    std::filesystem::path path; // resolved
    std::vector<std::byte> header;
    std::vector<DataPiece> pieces;
    std::uint64_t size = 0;
    bool replaces = false; // a file exists, whose owner, mode and attributes the new file receives
    std::optional<ByteSource::Identity> replaced{}; // if set, only that file may be replaced
    bool clone = false;                             // its single piece shares the source's blocks
    std::uint64_t written = 0;                      // result: bytes written
};

// Writes all files and then renames them: a single file by itself, several under a journal, so that either all or none
// are replaced. If the file system refuses to clone, the error is StrategyImpossible with CannotClone's name in its
// arguments. Progress is in bytes. Errors: as for saving (gguf/write/save.h), among them FileChangedOnDisk if a source
// or the file to be replaced changed before the last rename is about to begin, or if imported bytes do not have their
// hash.
[[nodiscard]] Result<> writeNewFiles(std::span<NewFile> files, FileOperations& operations, const JobContext& job);

// Whether `name` is the name of a temporary file.
[[nodiscard]] bool isTemporaryName(std::string_view name);

// Passes the bytes of a tensor to `out` in pieces. If `swapped` is set, it is the layout of the tensor's rows and the
// byte order is swapped. Errors: the errors of `out`; Cancelled; the errors of swapByteOrder().
[[nodiscard]] Result<> passTensor(Bytes bytes, const std::optional<RowLayout>& swapped,
                                  const std::function<Result<>(Bytes)>& out, const JobContext& job);

} // namespace gufo::saving
