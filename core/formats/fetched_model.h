// Reads a model whose bytes are fetched when they are viewed, for example from a server. Of formats whose readers view
// only the header, nothing else is fetched.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/job_context.h"
#include "formats/gguf/read/growing.h"
#include "formats/sets/folder_files.h"
#include "model/model.h"

namespace gufo {

// The size in bytes up to which files of other formats are read; they are fetched as a whole.
inline constexpr std::uint64_t kLargestFetchedWhole = 64 << 20;

// `openSibling` opens the other shards of a set; `headerSoFar` is only called for GGUF. Errors: the errors of
// readModel, of the source and of `openSibling`; ReplyUnusable (the file exceeds kLargestFetchedWhole, and its reader
// views all of it).
[[nodiscard]] Result<std::shared_ptr<const Model>> readFetchedModel(std::shared_ptr<const ByteSource> file,
                                                                    const JobContext& job,
                                                                    const SourceOpener& openSibling,
                                                                    const gguf::HeaderSoFar& headerSoFar = {});

} // namespace gufo
