// Finds out what the file system and other processes allow for a file before a save promises it, without changing
// anything that has a name.
//
// Threads: any. No two probes or saves in place of this process run at once (leaseMutex()).
#pragma once

#include "base/file_operations.h"
#include "formats/save/saving.h"

#include <mutex>
#include <optional>

namespace gufo::saving {

// Locked while this process opens a file that it is about to save, because a second descriptor of the same process
// would be taken for another program's and cost a copy of the file.
[[nodiscard]] std::mutex& leaseMutex();

// Whether a new file in the folder can share blocks with the file: asks the file system to do it for a nameless file.
[[nodiscard]] bool canShareBlocks(FileOperations& operations, const std::filesystem::path& file,
                                  const FileStatus& status);

// Whether blocks can be inserted into files of the folder: tries it with a nameless file.
[[nodiscard]] bool canInsertBlocks(FileOperations& operations, const std::filesystem::path& file,
                                   const FileStatus& status);

// The reason why a save in place will not be granted exclusive access: OpenElsewhere, NotOwner or NoLease.
[[nodiscard]] std::optional<SaveReason> whyNotExclusive(FileOperations& operations, const std::filesystem::path& file,
                                                        const FileStatus& status);

// The rate at which a copy of the file is written, in bytes per second: the rate of the last long copy in this process
// on the same device, or else a rate measured once by copying a piece of the file into a nameless one.
[[nodiscard]] std::optional<double> copyRate(FileOperations& operations, const std::filesystem::path& file,
                                             const FileStatus& status);
void rememberCopyRate(std::uint64_t device, double bytesPerSecond);

// Files that are copied in less time than anybody notices are not measured.
inline constexpr std::uint64_t kLongCopy = std::uint64_t{64} << 20U;

} // namespace gufo::saving
