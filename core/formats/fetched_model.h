// Reads a model whose bytes have to be fetched, such as from a server, without fetching more than its header.
#pragma once

#include "base/job_context.h"
#include "formats/folder_files.h"
#include "model/model.h"

namespace gufo {

// Files of formats whose readers look at the whole file are fetched whole, up to this size.
inline constexpr std::uint64_t kLargestFetchedWhole = 64 << 20;

// `openSister` opens the other shards of a set. Errors: those of readModel, of the source and of `openSister`;
// ReplyUnusable (the file of a format that can only be read whole is too large).
[[nodiscard]] Result<std::shared_ptr<const Model>>
readFetchedModel(std::shared_ptr<const ByteSource> file, const JobContext& job, const SourceOpener& openSister);

} // namespace gufo
