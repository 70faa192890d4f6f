// Reads files whose bytes are fetched when they are viewed, for example from a server. Instead of the whole file, only
// a part at its beginning is viewed, and a longer one each time the header does not fit into it.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "formats/gguf/read/reader.h"
#include "formats/sets/folder_files.h"

#include <functional>

namespace gufo::gguf {

// Lengths of the parts in bytes. The first part has kPartStep bytes. Each longer part has the smallest length that the
// header can have according to what was read of it. Therefore at most kPartStep bytes after the header are viewed,
// unless strings at the end of an array are shorter than those at its beginning and nothing follows.
inline constexpr std::uint64_t kPartStep = 64 << 10;
inline constexpr std::uint64_t kTrustedPart = 16 << 20; // a part may be this long,
inline constexpr std::uint64_t kPartGrowth = 4;         // or this many times as long as what was read
inline constexpr std::uint64_t kLargestPart = 1 << 30;  // a longer header is not read

// Receives what has been read of the header of files[0], each time it turns out to be longer, and once when it is
// complete: the metadata, and the tensors with their names, types, shapes and declared offsets. Called on the reading
// thread; the header is valid until the function returns.
using HeaderSoFar = std::function<void(const Model& header)>;

// Like read(), which views the whole file.
[[nodiscard]] Result<std::shared_ptr<const Model>>
readGrowing(std::shared_ptr<const ByteSource> source, const JobContext& job = {}, const HeaderSoFar& headerSoFar = {});
// Like open(), but reads each file with readGrowing(). `openSibling` opens the other shards of a
// set, whose headers `headerSoFar` receives one after the other.
[[nodiscard]] Result<std::shared_ptr<const Model>> openGrowing(std::shared_ptr<const ByteSource> file,
                                                               const JobContext& job, const SourceOpener& openSibling,
                                                               const HeaderSoFar& headerSoFar = {});

} // namespace gufo::gguf
