// Reads files whose bytes have to be fetched, such as from a server: instead of the whole file, only its beginning is
// viewed, and more of it each time the header turns out to be longer. Where the bytes come from is not known here.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "formats/folder_files.h"
#include "formats/gguf/read/reader.h"

namespace gufo::gguf {

// A view of the first part of the file is three round trips at most for a header of 16 MiB.
inline constexpr std::uint64_t kFirstPart = 1 << 20;
inline constexpr std::uint64_t kPartGrowth = 4;
inline constexpr std::uint64_t kLargestPart = 1 << 30; // no header is longer

// Like read(), which views the whole file.
[[nodiscard]] Result<std::shared_ptr<const Model>> readGrowing(std::shared_ptr<const ByteSource> source,
                                                               const JobContext& job = {});
// Like open(): with all shards of a set, which `openSister` opens. All files are read in growing parts.
[[nodiscard]] Result<std::shared_ptr<const Model>> openGrowing(std::shared_ptr<const ByteSource> file,
                                                               const JobContext& job, const SourceOpener& openSister);

} // namespace gufo::gguf
