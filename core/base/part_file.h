// Temporary files under whose names new files are written (".gufo-N.part"), next to the destination. Whoever writes one
// keeps it locked (flock) until it has been renamed or deleted, so that one whose lock can be taken was abandoned by a
// process that has ended.
#pragma once

#include "base/file_operations.h"

#include <functional>
#include <string_view>

namespace gufo {

// The end of the names of journals (formats/save/journal.h), which may promise to rename part files.
inline constexpr std::string_view kJournalSuffix = ".gufo-journal";

struct PartFile {
    OpenFile file; // for reading and writing; locked until it is closed
    std::filesystem::path path;
};

// Creates an empty part file. If removeAbandonedParts() deletes it before it is locked, another one is created. On a
// file system without locks it is not locked, and no process takes it for abandoned.
[[nodiscard]] SystemResult<PartFile> createPartFile(FileOperations& operations, const std::filesystem::path& folder);

// Deletes the abandoned part files of a folder, unless it contains a journal, which may need them. Returns how many
// were deleted. One that cannot be deleted (a read-only folder) stays. Lists the folder, which may take long, so it
// must not be called on the UI thread.
std::size_t removeAbandonedParts(const std::filesystem::path& folder);

// Calls use(name) for each entry of a folder except "." and ".."; for none if the folder cannot be listed. An empty
// path is the current folder. Iterating over the entries as paths takes several times as long.
void forEachName(const std::filesystem::path& folder, const std::function<void(std::string_view name)>& use);

} // namespace gufo
