// A file written beside its place and renamed into it when whole: whatever goes wrong, the old file or none is there,
// never half of the new one.
//
// Threads: one at a time.
#pragma once

#include "base/byte_source.h"

#include <filesystem>

namespace gufo {

class OutputFile {
public:
    // Creates the temporary file in the folder of `path` (of the file it links to, if it is a symbolic link). Errors:
    // FileNotFound (no such folder), PermissionDenied, IsDirectory, NotRegularFile, WriteFailed.
    [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile(); // without commit(): nothing is left

    // Errors: WriteFailed, with errno (ENOSPC: the disk is full).
    [[nodiscard]] Result<> write(Bytes bytes);

    // Makes the bytes durable and gives the file its name and, where it replaces one, the mode of the old one.
    [[nodiscard]] Result<> commit();

private:
    OutputFile() = default;
    [[nodiscard]] std::unexpected<Error> failed() const; // from errno

    int m_descriptor = -1;
    std::filesystem::path m_path;
    std::filesystem::path m_temporary; // empty once committed
};

} // namespace gufo
