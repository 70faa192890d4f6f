// Undoes the changes that a journal describes, after a failure in the saving process or after a crash.
#pragma once

#include "base/file_operations.h"
#include "formats/save/journal.h"

#include <limits>
#include <optional>
#include <span>

namespace gufo::saving {

inline constexpr std::uint64_t kDataSample = kSampleBytes; // bytes of tensor data that are hashed

// The quickHash of the first kDataSample bytes of tensor data between two offsets of an open file.
[[nodiscard]] SystemResult<std::uint64_t> hashData(FileOperations& operations, int file, std::uint64_t dataOffset,
                                                   std::uint64_t dataEnd);

// Samples of ranges of an open file, which are in order: their ends, and places evenly spread between them.
[[nodiscard]] SystemResult<std::vector<DataSample>> takeSamples(FileOperations& operations, int file,
                                                                std::span<const ByteRange> ranges);
// Where the bytes of an old file are now: the bytes from offset `from` on have moved up by `by` bytes. If a shift was
// interrupted, there is also a hole at offset `tear` (tornAt()).
struct Moved {
    std::uint64_t from = 0;
    std::uint64_t by = 0;
    std::uint64_t tear = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t hole = 0; // its length
};
// Whether the file has these bytes. False without samples.
[[nodiscard]] SystemResult<bool> hasSamples(FileOperations& operations, int file, std::span<const DataSample> samples,
                                            const Moved& moved = {});

enum class FileState : std::uint8_t {
    Old,        // completely the old file
    New,        // completely the new file
    Unfinished, // its start is marked as being changed, and everything matches the journal
    Foreign,    // another file, or changed by another program
};
// The inode identifies the file itself or, with `copied`, a copy, which must also have the entry's samples.
[[nodiscard]] SystemResult<FileState> stateOf(FileOperations& operations, int file, const UndoEntry& entry,
                                              bool copied = false);

// Inserts (by > 0) or removes blocks of a file whose start is unfinishedStart(mark). If blocks at the very front are
// removed, and the start with them, the blocks after them receive one first.
[[nodiscard]] SystemResult<> shiftBlocks(FileOperations& operations, int file, const UndoEntry& entry, std::int64_t by);

// Turns an open file in any state but Foreign back into the old one, durably. At every moment, other readers find
// either the old file or an unreadable one.
[[nodiscard]] SystemResult<> undo(FileOperations& operations, int file, const UndoEntry& entry);

// Detects a shift of blocks in a file that was interrupted half-way. File systems move extents one after another, in as
// many transactions as it takes. A power cut or an error therefore leaves some extents in their old places and others
// moved, with a hole as long as the shift between them, and the file has the size of the longer of the two layouts.
// (ext4 moves a leaf of 340 extents at a time, fs/ext4/extents.c; XFS moves each extent by itself,
// fs/xfs/libxfs/xfs_bmap.c.)
//
// Removing that hole yields the shorter layout, regardless of the direction of the shift and of how often the removal
// itself is interrupted.
//
// The start of the hole in a file of `size` bytes whose data lies in `written` (FileExtents), or nothing if the shift
// was not interrupted.
[[nodiscard]] std::optional<std::uint64_t> tornAt(const UndoEntry& entry, std::uint64_t size,
                                                  std::span<const ByteRange> written);

} // namespace gufo::saving
