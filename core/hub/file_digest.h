// The SHA-256 of a file on this computer.
//
// Threads: thread-safe. The functions read the disk, so they must not be called on the UI thread.
#pragma once

#include "base/file_operations.h"
#include "base/job_context.h"

#include <string>

namespace gufo::hub {

// Returns the digest as 64 lower-case hexadecimal digits. Advances the progress by the bytes read. Errors:
// FileNotFound, PermissionDenied, ReadFailed, Cancelled.
[[nodiscard]] Result<std::string> digestOfFile(FileOperations& operations, const std::filesystem::path& path,
                                               const JobContext& job);

} // namespace gufo::hub
