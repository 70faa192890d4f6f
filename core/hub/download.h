// Downloads a model, whose shards are one download: their space is checked before the first of them, and they share the
// progress.
//
// Threads: download() blocks, so it must not be called on the UI thread.
#pragma once

#include "hub/file_download.h"
#include "hub/repository_models.h"

namespace gufo::hub {

struct DownloadOptions {
    std::filesystem::path folder;
    bool replaces = false; // existing files
    TransferOptions transfer{};
};

// Where the files will be: in the folder, under the last part of their paths.
[[nodiscard]] std::vector<std::filesystem::path> destinations(const ModelFiles& model,
                                                              const std::filesystem::path& folder);

// The files that an earlier download of a model has left in its folder.
struct Leftovers {
    std::uint64_t presentBytes = 0; // in part files
    // The free space that the rest needs. Files that exist with the stated size are assumed to be complete.
    std::uint64_t neededSpace = 0;
    bool anyExists = false; // one of the files exists
};
[[nodiscard]] Leftovers leftoversOf(const ModelFiles& model, const std::filesystem::path& folder,
                                    FileOperations& operations = realFileOperations());

// A file that exists with the SHA-256 that the hub states is not fetched again; any other existing file is an error
// unless it may be replaced. Progress is in bytes. Errors: InvalidArgument (Detail::FileExists); those
// of FileDownload; NoSpace, before anything is fetched; FileNotFound (there is no such folder); SetIncomplete, after
// which the files stay (the server has them like that).
[[nodiscard]] Result<std::vector<DownloadedFile>> download(net::Client& client, const ModelFiles& model,
                                                           const DownloadOptions& options, const JobContext& job = {},
                                                           FileOperations& operations = realFileOperations());

} // namespace gufo::hub
