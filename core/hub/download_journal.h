// Records what an unfinished download has fetched in a small file next to its part file, so that it can be resumed. A
// journal that is damaged or belongs to another file is ignored: the download then starts from the beginning.
//
// Threads: all functions are thread-safe; a download locks its part file, so that only one of them uses a journal.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <string>
#include <vector>

namespace gufo::hub {

struct DownloadJournal {
    std::string address; // without its query, which can contain a signature
    std::string etag;    // empty if the server sent none
    std::string sha256;  // that the hub states; may be empty
    std::uint64_t bytes = 0;
    // The ranges that have been written to the part file, and the ranges among them that are certainly on the disk;
    // both are sorted and disjoint. A crash of the system loses what it has not yet written to the disk, so after a
    // restart readJournal() returns `durable` as `present`.
    std::vector<ByteRange> present;
    std::vector<ByteRange> durable;
};

// Returns nothing if there is none, if it is damaged, or if its ranges do not lie in the file that it describes.
[[nodiscard]] std::optional<DownloadJournal> readJournal(const std::filesystem::path& path);
// Replaces the file as a whole. If all of `present` is durable, the journal is synced too, which may wait until the
// system has written all its pending data. Errors: WriteFailed and the errors of OutputFile.
[[nodiscard]] Result<> writeJournal(const std::filesystem::path& path, const DownloadJournal& journal);

// Returns whether restarts of this system can be detected, without which `present` must not exceed `durable`.
[[nodiscard]] bool restartsAreKnown();

} // namespace gufo::hub
