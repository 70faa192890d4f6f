// The beginning of a file, its size and its path, by which the table of containers detects formats.
#pragma once

#include "base/byte_source.h"

#include <filesystem>
#include <string_view>

namespace gufo {

struct FileStart {
    std::string_view bytes;      // the first kFileStartBytes, or the whole of a shorter file
    std::uint64_t fileBytes = 0; // size of the file
    const std::filesystem::path& path;

    // Whether the bytes at `offset` are `wanted`.
    [[nodiscard]] bool hasAt(std::size_t offset, std::string_view wanted) const {
        return bytes.size() >= offset && bytes.substr(offset).starts_with(wanted);
    }
};
inline constexpr std::uint64_t kFileStartBytes = 4096;
[[nodiscard]] Result<FileStart> startOf(const ByteSource& file);

// The error NotAModel for a file of unknown format; it quotes the first bytes.
[[nodiscard]] Error notAModel(Bytes start, std::filesystem::path path);

} // namespace gufo
