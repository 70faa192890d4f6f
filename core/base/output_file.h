// Writes a new file next to its destination and renames it when it is complete. Whatever goes wrong, the destination is
// either the old file or absent, never half of the new one.
#pragma once

#include "base/part_file.h"

#include <filesystem>

namespace gufo {

class OutputFile {
public:
    // Creates the part file in the folder of `path`, or of its target if `path` is a symbolic link, after those that
    // killed processes left there were deleted. Errors:
    // FileNotFound (no such folder), PermissionDenied, IsDirectory, NotRegularFile, WriteFailed.
    [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile(); // deletes the temporary file if commit() was not called

    // Errors: WriteFailed, with errno (ENOSPC: the disk is full).
    [[nodiscard]] Result<> write(Bytes bytes);

    // Makes the bytes durable, renames the file to its final name and, if it replaces a file, copies that file's mode.
    [[nodiscard]] Result<> commit();

private:
    OutputFile() = default;
    [[nodiscard]] std::unexpected<Error> failed() const; // the error for the current errno

    std::filesystem::path m_path;
    PartFile m_part; // without a path after commit()
};

} // namespace gufo
