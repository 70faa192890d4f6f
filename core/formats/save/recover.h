// Undoes or completes an interrupted save with the journal that it left next to the file.
//
// Threads: any. If two recoveries, or a recovery and a save, concern the same file, one of them waits or fails.
#pragma once

#include "formats/save/saving.h"

#include <vector>

namespace gufo::saving {

// The path of a file's journal, which is next to the file. The shards of a set share one journal.
[[nodiscard]] std::filesystem::path journalPath(const std::filesystem::path& resolvedFile);

// `file` may be any shard of the set whose save was interrupted. The part files that killed saves left in its folder
// are deleted too (base/part_file.h). Without a journal the call costs one look-up and a listing of the folder. Errors,
// with nothing written: JournalDamaged, JournalOfAnotherFile, FileBusy (a save is running), PermissionDenied and
// ReadOnlyFolder (the file cannot be repaired by this user). After WriteFailed the journal remains.
//
// A file that was copied or moved together with its journal has another inode (a backup, a rescued disk). It is
// recovered only with MovedFile::Accept, and only if its size is one that the journal allows, its start (in a set of
// shards, the start of at least one) shows a file in the middle of a save, and the samples of the journal match;
// otherwise the error is JournalOfAnotherFile, with Detail::MovedCopy if accepting it would have recovered it.
[[nodiscard]] Result<Recovery> recover(const std::filesystem::path& file, FileOperations* operations = nullptr,
                                       MovedFile moved = MovedFile::Refuse);

// The files of a folder that have a journal, the first of each set, so that a model that is opened through the folder
// or through a list of its files is recovered too. Empty if the folder cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> interruptedFiles(const std::filesystem::path& folder);

// The error SaveInterrupted for a file that still starts with unfinishedStart() after recovery, because its journal is
// gone.
[[nodiscard]] Error interruptedSave(const std::filesystem::path& file);

} // namespace gufo::saving
