// A save that has been planned completely before anything is touched. The container describes each file that it writes;
// the strategy by which the file is written, and the writing, are the same for all containers.
#pragma once

#include "formats/save/journal.h"
#include "formats/save/new_files.h"
#include "formats/save/saving.h"

#include <functional>

namespace gufo::saving {

struct PlannedFile {
    // Set by the container.
    FilePlan plan;     // file, reserved; reason and args if the data changes
    FileStatus status; // status of the file when the save was planned
    std::shared_ptr<const ByteSource> source;
    StartMark mark = StartMark::Magic;
    std::vector<std::byte> header; // the new header, up to the tensor data
    // The tensor data is unchanged, byte for byte, from the old data offset to the end of the file.
    bool sameData = false;
    // Tensors are incomplete, so that data which the file lacks stays missing.
    bool frozen = false;
    bool hasTensors = false;
    std::uint64_t oldDataOffset = 0;
    std::uint64_t oldDataEnd = 0;   // end of the padded tensor data in the old file
    std::uint64_t newDataBytes = 0; // of the padded tensor data in the new file, unless it stays as it is
    std::uint64_t alignment = 1;    // of the tensor data; blocks are inserted in multiples of it
    // The pieces of a new file whose header has that many bytes. Needed only if the data changes.
    std::function<std::vector<DataPiece>(std::uint64_t headerBytes)> pieces{};

    // Set if the header gives up its reserved space to have its original size again: the header that keeps it.
    struct KeptReserve {
        std::vector<std::byte> header;
        std::uint64_t reserved = 0;
    };
    std::optional<KeptReserve> keepsReserved{};

    bool canShift = false; // the file system inserts blocks into files; set by plannedFile()

    // Set by decide().
    std::int64_t shift = 0;   // new data offset − old data offset
    ByteRange tail;           // the bytes after the last tensor that are kept
    bool wholeBlocks = false; // the tensor data moves by whole blocks, so a new file could share them
    bool canClone = false;    // and the file system does it

    [[nodiscard]] Bytes oldHeader() const;
    // The granularity at which the header can grow in place.
    [[nodiscard]] std::uint64_t unit() const;
    // A new file has only the name of the old one that it replaces.
    [[nodiscard]] std::uint64_t linksLeft() const {
        const bool anew = plan.strategy == SaveStrategy::Clone || plan.strategy == SaveStrategy::Copy;
        return anew && status.links > 1 ? status.links - 1 : 0;
    }
};

struct PlannedSave {
    std::vector<PlannedFile> files; // all files that are present; one with the strategy Unchanged is left alone
    SavePlan plan;
};

inline constexpr std::uint64_t kMaxUnit = 16 << 20;          // limit on the step in which a header grows
inline constexpr std::uint64_t kMaxShiftedExtents = 100'000; // ext4 took 2 to 18 ms for 34,000

// Sets the paths, sizes, status and source of a file before the container describes what it will contain.
[[nodiscard]] PlannedFile plannedFile(FileIndex index, const ModelFile& before, FileOperations& operations);

// A save finds out by trying whether another process has the file open; a prediction has to query that, and to measure
// how long writing takes.
enum class Purpose : std::uint8_t { Save, Prediction };

// Chooses the strategies of all files together, and completes their plans.
[[nodiscard]] PlannedSave decide(std::vector<PlannedFile> files, const SaveTarget& target, const SaveOptions& options,
                                 FileOperations& operations, Purpose purpose);

// Chooses the strategy for a file that cannot be changed in place, clone or copy, and records the reason.
void fallBack(PlannedFile& file, SaveReason reason, Arguments args = {});

// The ranges of the header that differ, in units of 4 KiB and without the first `start` bytes. Both headers have the
// same length.
[[nodiscard]] std::vector<ByteRange> changedRanges(Bytes before, Bytes after, std::uint64_t start);

} // namespace gufo::saving
