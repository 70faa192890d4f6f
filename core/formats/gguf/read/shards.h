// Models in several files, NAME-00001-of-00003.gguf. Opening any shard opens the whole set.
#pragma once

#include "formats/detection/shard_names.h"
#include "formats/gguf/read/reader.h"
#include "formats/sets/folder_files.h"
#include "model/finding_list.h"
#include "model/model.h"

namespace gufo::gguf {

// The keys that only a shard has begin with it.
inline constexpr std::string_view kSplitPrefix = "split.";

[[nodiscard]] std::optional<ShardName> parseShardName(const std::filesystem::path& fileName);
// The text that the names of all shards of a set have in common and that no other file has.
[[nodiscard]] std::optional<std::string> shardSetOf(const std::filesystem::path& fileName);
[[nodiscard]] std::filesystem::path shardFileName(const ShardName& name);

// Opens a file and, if it is a shard (by its split.count key or its name), the other shards of its set. A shard that is
// missing or does not match is a finding, and the others are shown. Errors: the errors of MappedFile::open() and
// read(), for the given file only.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(const std::filesystem::path& path, const JobContext& job = {});
// The same for a file that is already open. `openSibling` opens the other shards.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                        const SourceOpener& openSibling);
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file,
                                                        const JobContext& job = {});

// Finds shards that were exchanged for shards of another quantisation or of another model. Their numbers are right and
// their keys, which only the first shard has, say nothing, so the tensors are compared: in each role that a shard
// shares with others, such as attn_q, all of its tensors have a type (or a shape) that no other shard has there.

// Adds a ShardForeign for each shard of a joined model that does not belong to the others. Where no shard is like
// another, the first one counts. A layer range with types of its own is no fault: it would have to coincide with a
// shard in every role. Takes time in proportion to the number of tensors.
void addForeignShards(const Model& joined, FindingList& findings);

} // namespace gufo::gguf
