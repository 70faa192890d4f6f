// Models in several files that are listed by a JSON file ("model.safetensors.index.json",
// "pytorch_model.bin.index.json") or numbered by their names.
//
// The list is {"metadata": {…}, "weight_map": {tensor: file name, …}}. Files are looked for only beside it. A file that
// is missing or unreadable, and a tensor that is not in the file that the list names, are findings; everything else is
// shown.
#pragma once

#include "base/job_context.h"
#include "formats/detection/shard_names.h"
#include "formats/sets/folder_files.h"
#include "model/model.h"

namespace gufo::shard_index {

inline constexpr std::uint64_t kMaxIndexBytes = 100'000'000;
inline constexpr std::size_t kMaxShards = 10'000;

// Opens all files of a list. The metadata of the list become keys "index.…". Errors: BadSyntax, NestingTooDeep,
// LimitExceeded (kMaxIndexBytes, kMaxShards), Malformed (there is no weight_map, or it does not map names to names),
// the error of the first file if none can be opened, Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> list, const JobContext& job,
                                                        const SourceOpener& openFile = mappedFileOpener());

// Opens the other files of the set to which `opened` belongs by its name. Errors: Cancelled, LimitExceeded
// (kMaxShards).
[[nodiscard]] Result<std::shared_ptr<const Model>> openSet(std::shared_ptr<const Model> opened, const ShardName& name,
                                                           std::string_view suffix, const JobContext& job,
                                                           const SourceOpener& openFile = mappedFileOpener());

} // namespace gufo::shard_index
