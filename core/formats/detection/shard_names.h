// The names of the files of a set: NAME-00001-of-00003.SUFFIX, as GGUF's tools and Hugging Face write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

struct ShardName {
    std::string prefix;       // bytes before "-00001-of-00003.gguf"
    std::uint32_t number = 0; // 1-based, as in the name
    std::uint32_t count = 0;
    bool operator==(const ShardName&) const = default;
};

// The list of a set of safetensors shards has the prefix of their names and this suffix.
inline constexpr std::string_view kShardListSuffix = ".safetensors.index.json";

// `suffix` with its dot. Returns nothing for other names.
[[nodiscard]] std::optional<ShardName> parseShardName(const std::filesystem::path& fileName, std::string_view suffix);
[[nodiscard]] std::filesystem::path shardFileName(const ShardName& name, std::string_view suffix);
// The same for any of the suffixes of containers whose sets are saved as a whole (".gguf", ".safetensors").
struct SetMember {
    ShardName name;
    std::string_view suffix;
};
[[nodiscard]] std::optional<SetMember> parseSetMember(const std::filesystem::path& fileName);
// The text that the names of all shards of a set have in common and that no other file has.
[[nodiscard]] std::string shardSetName(const ShardName& name);

} // namespace gufo
