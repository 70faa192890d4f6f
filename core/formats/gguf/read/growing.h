// Reads files whose bytes are fetched when they are viewed, for example from a server. Instead of the whole file, only a
// part at its beginning is viewed, and a longer one each time the header does not fit into it.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "formats/folder_files.h"
#include "formats/gguf/read/reader.h"

namespace gufo::gguf {

// Lengths of the parts in bytes. A header of 16 MiB takes three views.
inline constexpr std::uint64_t kFirstPart = 1 << 20;
inline constexpr std::uint64_t kPartGrowth = 4;        // from one part to the next
inline constexpr std::uint64_t kLargestPart = 1 << 30; // a longer header is not read

// Like read(), which views the whole file.
[[nodiscard]] Result<std::shared_ptr<const Model>> readGrowing(std::shared_ptr<const ByteSource> source,
                                                               const JobContext& job = {});
// Like open(), but reads each file with readGrowing(). `openSister` opens the other shards of a set.
[[nodiscard]] Result<std::shared_ptr<const Model>> openGrowing(std::shared_ptr<const ByteSource> file,
                                                               const JobContext& job, const SourceOpener& openSister);

} // namespace gufo::gguf
