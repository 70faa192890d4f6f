// Models in several files, NAME-00001-of-00003.gguf. Opening any shard opens the whole set.
#pragma once

#include "formats/detection/shard_names.h"
#include "formats/gguf/read/reader.h"
#include "formats/sets/folder_files.h"

namespace gufo::gguf {

[[nodiscard]] std::optional<ShardName> parseShardName(const std::filesystem::path& fileName);
// The text that the names of all shards of a set have in common and that no other file has.
[[nodiscard]] std::optional<std::string> shardSetOf(const std::filesystem::path& fileName);
[[nodiscard]] std::filesystem::path shardFileName(const ShardName& name);

// Opens a file and, if it is a shard (by its split.count key or its name), the other shards of its set. A shard that is
// missing or does not match is a finding, and the others are shown. Errors: those of MappedFile::open() and read(), for
// the given file only.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(const std::filesystem::path& path, const JobContext& job = {});
// The same for a file that is already open. `openSibling` opens the other shards.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                        const SourceOpener& openSibling);
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file,
                                                        const JobContext& job = {});

} // namespace gufo::gguf
