// Which existing files must not be replaced by an output: those that are being read, and those whose names are the
// hashes of their contents.
//
// Threads: thread-safe. The functions ask the file system.
#pragma once

#include "base/error.h"

namespace gufo {

// Whether a file name is a SHA-256, as in the blobs of Hugging Face's cache and of Ollama's store ("sha256-…").
[[nodiscard]] bool isContentHash(std::string_view fileName);

// Errors: InvalidArgument (Detail::ReplacesHashedFile) if `path` is an existing file named by its hash, or a symbolic
// link to one.
[[nodiscard]] Result<> checkNotHashed(const std::filesystem::path& path);
// Errors: InvalidArgument (Detail::OpenHere) if this process has the file mapped under any name, and so reads it.
[[nodiscard]] Result<> checkNotOpen(const std::filesystem::path& path);
// Both.
[[nodiscard]] Result<> checkReplaceable(const std::filesystem::path& path);

} // namespace gufo
