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
    // In the part file; both are sorted and disjoint. `present` may name more than is on the disk: what the system
    // still has to write is lost if it crashes, so after a restart of the system, readJournal() returns `durable` for
    // it.
    std::vector<ByteRange> present;
    std::vector<ByteRange> durable;
};

// Returns nothing if there is none, if it is damaged, or if its ranges do not lie in the file that it describes.
[[nodiscard]] std::optional<DownloadJournal> readJournal(const std::filesystem::path& path);
// Replaces the file as a whole. If all of `present` is durable, the journal becomes durable too, which may take as long
// as everything that the system still has to write. Errors: WriteFailed and those of OutputFile.
[[nodiscard]] Result<> writeJournal(const std::filesystem::path& path, const DownloadJournal& journal);

// Whether this system tells when it was restarted, so that `present` may name what is not on the disk yet.
[[nodiscard]] bool restartsAreKnown();

} // namespace gufo::hub
