// Writes a new file next to its destination and renames it when it is complete. Whatever goes wrong, the destination is
// either the old file or absent, never half of the new one.
//
// A device, a pipe or a descriptor of the process (/dev/stdout, even if it is redirected to a file) cannot be replaced:
// it is written to directly, and keeps what was written before an error.
//
// Threads: one at a time. The functions wait for the disk.
#pragma once

#include "base/part_file.h"

#include <filesystem>
#include <string_view>

namespace gufo {

class OutputFile {
public:
    // Whether a file that this process has mapped may be replaced. Whoever allows it knows which files it reads.
    enum class OpenFiles : std::uint8_t { Refused, Replaced };

    // Creates the part file in the folder of `path`, or of its target if `path` is a symbolic link, after deleting part
    // files that killed processes left there. Errors: FileNotFound (no such folder), PermissionDenied, IsDirectory,
    // NotRegularFile (a socket), WriteFailed, the errors of checkReplaceable(). Opening a named pipe waits for its
    // reader.
    [[nodiscard]] static Result<OutputFile> create(const std::filesystem::path& path,
                                                   OpenFiles openFiles = OpenFiles::Refused);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile(); // deletes the temporary file if commit() was not called

    // The bytes may belong to a mapped file. Errors: WriteFailed, with errno (ENOSPC: the disk is full).
    [[nodiscard]] Result<> write(Bytes bytes);

    // Makes the bytes durable as far as the destination can, renames the file to its final name and, if it replaces a
    // file, copies that file's mode.
    [[nodiscard]] Result<> commit();

private:
    OutputFile() = default;
    [[nodiscard]] std::unexpected<Error> failed() const; // the error for the current errno

    std::filesystem::path m_path;
    PartFile m_part; // without a path after commit(), and where the destination is written directly
    std::uint64_t m_written = 0;
    std::uint64_t m_started = 0; // the system has been asked to write the bytes before this offset to the disk
};

// Writes a file that holds `content`, or none. Errors: the errors of OutputFile.
[[nodiscard]] Result<> writeWholeFile(const std::filesystem::path& path, std::string_view content);

// Existing files must not be replaced while they are being read, or if their names are the hashes of their contents.
// These functions ask the file system and are thread-safe.

// Whether a file name is a SHA-256, as in the blobs of Hugging Face's cache and of Ollama's store ("sha256-…").
[[nodiscard]] bool isContentHash(std::string_view fileName);
// Errors: InvalidArgument (Detail::ReplacesHashedFile) if `path` is an existing file named by its hash, or a symbolic
// link to one.
[[nodiscard]] Result<> checkNotHashed(const std::filesystem::path& path);
// Errors: InvalidArgument (Detail::OpenHere) if this process has the file mapped under any name, and so reads it.
[[nodiscard]] Result<> checkNotOpen(const std::filesystem::path& path);
// Checks both.
[[nodiscard]] Result<> checkReplaceable(const std::filesystem::path& path);

// Renames a file within its folder without ever replacing another one. Nothing happens if it has the name already.
// Errors: InvalidArgument for a name that is empty or names another folder (Detail::NotAFileName) or that a file has
// (Detail::FileExists); WriteFailed.
[[nodiscard]] Result<> renameFile(const std::filesystem::path& file, const std::filesystem::path& fileName);

} // namespace gufo
