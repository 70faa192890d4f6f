// Models in several files: NAME-00001-of-00003.gguf. Opening any shard opens the set.
#pragma once

#include "formats/gguf/read/reader.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace gufo::gguf {

struct ShardName {
    std::string prefix;       // bytes before "-00001-of-00003.gguf"
    std::uint32_t number = 0; // 1-based, as in the name
    std::uint32_t count = 0;
    bool operator==(const ShardName&) const = default;
};
[[nodiscard]] std::optional<ShardName> parseShardName(const std::filesystem::path& fileName);
[[nodiscard]] std::filesystem::path shardFileName(const ShardName& name);

// Opens a file, and its sisters if it is a shard (by its split.count key or its name). A missing or mismatching shard
// is a finding; what is there is shown. Errors: those of MappedFile::open and read, of the named file only.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(const std::filesystem::path& path, const JobContext& job = {});
// The same, of a file that is open already; its sisters are opened by `openSister`.
using SourceOpener = std::function<Result<std::shared_ptr<const ByteSource>>(const std::filesystem::path&)>;
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                        const SourceOpener& openSister);
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file,
                                                        const JobContext& job = {});

} // namespace gufo::gguf
