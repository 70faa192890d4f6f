// A save that has been planned completely before anything is touched. Saving executes it.
#pragma once

#include "formats/gguf/write/contents.h"

namespace gufo::gguf {

struct PlannedFile {
    FilePlan plan; // a file with the strategy Unchanged is left alone
    ShardContent shard;
    FileStatus status; // status of the file when the save was planned
    std::shared_ptr<const ByteSource> source;
    std::vector<std::byte> header; // the new header, up to the tensor data
    // The tensor data is unchanged, byte for byte, from the old data offset to the end of the file.
    bool sameData = false;
    std::uint64_t oldDataOffset = 0;
    std::int64_t shift = 0;     // new data offset − old data offset
    ByteRange tail;             // the bytes after the last tensor that are kept
    bool wholeBlocks = false;   // the tensor data moves by whole blocks, so a new file could share them
    bool canShift = false;      // the file system inserts blocks into files
    bool canClone = false;      // and the file system does it
    bool dropsReserved = false; // the header gives up its reserved space to have its original size again

    [[nodiscard]] Bytes oldHeader() const;
    // A new file has only the name of the old one that it replaces.
    [[nodiscard]] std::uint64_t linksLeft() const {
        const bool anew = plan.strategy == SaveStrategy::Clone || plan.strategy == SaveStrategy::Copy;
        return anew && status.links > 1 ? status.links - 1 : 0;
    }
};

// The ranges of the header that differ, in units of 4 KiB and without the magic number. Both headers have the same
// length.
[[nodiscard]] std::vector<ByteRange> changedRanges(Bytes before, Bytes after);

struct PlannedSave {
    std::vector<PlannedFile> files; // all files that are present
    SavePlan plan;
};
// A save finds out by itself who has the file open; a prediction has to ask, and to measure how long writing takes.
enum class Purpose : std::uint8_t { Save, Prediction };
[[nodiscard]] Result<PlannedSave> workOut(const Model& base, const Model& edited, const SaveTarget& target,
                                          const SaveOptions& options, FileOperations& operations,
                                          Purpose purpose = Purpose::Save);

// Chooses the strategy for a file that cannot be changed in place, clone or copy, and records the reason.
void fallBack(PlannedFile& file, SaveReason reason, Arguments args = {});

inline constexpr std::uint64_t kMaxShiftedExtents = 100'000; // ext4 took 2 to 18 ms for 34,000

} // namespace gufo::gguf
