// A save worked out in full, before anything is touched: what saving in place carries out.
#pragma once

#include "formats/gguf/write/contents.h"

namespace gufo::gguf {

struct PlannedFile {
    FilePlan plan; // strategy Unchanged: left alone
    ShardContent shard;
    FileStatus status; // of the file when it was planned
    std::shared_ptr<const ByteSource> source;
    std::vector<std::byte> header; // new, up to the tensor data
    // The tensor data is what it was, byte for byte, from the old data offset to the end of the file.
    bool sameData = false;
    std::uint64_t oldDataOffset = 0;
    std::int64_t shift = 0; // new data offset − old one
    ByteRange tail;         // kept: the bytes behind the last tensor
    bool canClone = false;

    [[nodiscard]] Bytes oldHeader() const;
};

// Parts of the header that differ, in pieces of 4 KiB, without the magic; both are of the same length.
[[nodiscard]] std::vector<ByteRange> changedRanges(Bytes before, Bytes after);

struct PlannedSave {
    std::vector<PlannedFile> files; // all that are there
    SavePlan plan;
};
[[nodiscard]] Result<PlannedSave> workOut(const Model& base, const Model& edited, const SaveTarget& target,
                                          const SaveOptions& options, FileOperations& operations);

// What a file that cannot be changed in place is done by instead, and why: clone or copy.
void fallBack(PlannedFile& file, SaveReason reason, std::vector<std::string> args = {});

inline constexpr std::uint64_t kMostShiftedExtents = 100'000; // 34,000 took ext4 2 to 18 ms

} // namespace gufo::gguf
