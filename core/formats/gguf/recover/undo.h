// Undoes what a journal is about: after a failure in the process that saves, and after a crash.
#pragma once

#include "base/file_operations.h"
#include "formats/gguf/recover/journal.h"

namespace gufo::gguf {

inline constexpr std::uint64_t kDataSample = 4096; // bytes of the tensor data that are hashed

// quickHash of the front of the tensor data between two offsets of an open file.
[[nodiscard]] SystemResult<std::uint64_t> hashData(FileOperations& operations, int file, std::uint64_t dataOffset,
                                                   std::uint64_t dataEnd);

enum class FileState : std::uint8_t {
    Old,        // entirely
    New,        // entirely
    Unfinished, // the magic says that it is being changed, and all fits the journal
    Foreign,    // another file, or another program has changed it
};
[[nodiscard]] SystemResult<FileState> stateOf(FileOperations& operations, int file, const UndoEntry& entry);

// Inserts (by > 0) or takes out blocks of a file whose magic is kUnfinishedMagic. At its very front, where blocks that
// are taken out have the magic in them, those behind get one first.
[[nodiscard]] SystemResult<> shiftBlocks(FileOperations& operations, int file, std::uint64_t at, std::int64_t by);

// Makes an open file in any state but Foreign the old one, durably. Other readers find it old or unreadable at every
// moment.
[[nodiscard]] SystemResult<> undo(FileOperations& operations, int file, const UndoEntry& entry);

} // namespace gufo::gguf
