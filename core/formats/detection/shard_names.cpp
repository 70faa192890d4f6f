#include "formats/detection/shard_names.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace gufo {
namespace {

constexpr std::size_t kDigits = 5;

std::optional<std::uint32_t> numberOf(std::string_view digits) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<ShardName> parseShardName(const std::filesystem::path& fileName, std::string_view suffix) {
    std::string_view text = fileName.native();
    if (!text.ends_with(suffix)) {
        return std::nullopt;
    }
    text.remove_suffix(suffix.size());
    constexpr std::string_view kOf = "-of-";
    constexpr std::size_t kTail = 1 + kDigits + kOf.size() + kDigits; // "-00001-of-00003"
    if (text.size() < kTail) {
        return std::nullopt;
    }
    const std::string_view tail = text.substr(text.size() - kTail);
    const auto part = numberOf(tail.substr(1, kDigits));
    const auto count = numberOf(tail.substr(kTail - kDigits));
    if (tail[0] != '-' || tail.substr(1 + kDigits, kOf.size()) != kOf || !part || !count || *part == 0 ||
        *part > *count) {
        return std::nullopt;
    }
    return ShardName{std::string(text.substr(0, text.size() - kTail)), *part, *count};
}

std::filesystem::path shardFileName(const ShardName& name, std::string_view suffix) {
    std::array<char, 64> tail{};
    std::snprintf(tail.data(), tail.size(), "-%05u-of-%05u", name.number, name.count);
    return name.prefix + tail.data() + std::string(suffix);
}

std::optional<SetMember> parseSetMember(const std::filesystem::path& fileName) {
    constexpr auto kSuffixes = std::to_array<std::string_view>({".gguf", ".safetensors"});
    for (const std::string_view suffix : kSuffixes) {
        if (auto name = parseShardName(fileName, suffix)) {
            return SetMember{*std::move(name), suffix};
        }
    }
    return std::nullopt;
}

std::string shardSetName(const ShardName& name) { return name.prefix + "-of-" + std::to_string(name.count); }

} // namespace gufo
