// Undoes or completes a save that was interrupted, by the journal that it left beside the file.
//
// Threads: may run on any thread; of two recoveries, or a recovery and a save, of the same file one waits or refuses.
#pragma once

#include "base/file_operations.h"

#include <filesystem>

namespace gufo::gguf {

enum class Recovery : std::uint8_t {
    NotNeeded,  // there is no journal
    RolledBack, // the file is the old one
    Completed,  // the file is the new one
};
[[nodiscard]] std::string_view recoveryName(Recovery recovery); // "not_needed", "rolled_back", "completed"

// Where the journal of a file is (symbolic links are followed): beside it, shared by the shards of a set.
[[nodiscard]] std::filesystem::path journalPath(const std::filesystem::path& resolvedFile);

// `file` need not be the one whose save was interrupted; any shard of its set will do. Costs one look-up where there is
// no journal. Errors, with nothing written: JournalDamaged, JournalOfAnotherFile, FileBusy (a save is running),
// PermissionDenied and ReadOnlyFolder (the file cannot be repaired from here). WriteFailed: the journal remains.
[[nodiscard]] Result<Recovery> recover(const std::filesystem::path& file, FileOperations* operations = nullptr);

} // namespace gufo::gguf
