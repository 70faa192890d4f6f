#include "formats/detection/file_start.h"

#include <algorithm>

namespace gufo {
namespace {

std::string hexOf(Bytes bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : bytes) {
        const auto value = std::to_integer<unsigned>(byte);
        text += text.empty() ? "" : " ";
        text += kDigits[value >> 4U];
        text += kDigits[value & 15U];
    }
    return text;
}

} // namespace

Result<FileStart> startOf(const ByteSource& file) {
    const auto bytes = GUFO_TRY(file.view({0, std::min(file.size(), kFileStartBytes)}));
    return FileStart{.bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                     .fileBytes = file.size(),
                     .path = file.path()};
}

Error notAModel(Bytes start, std::filesystem::path path) {
    constexpr std::size_t kShown = 8;
    return Error{.code = ErrorCode::NotAModel,
                 .file = std::move(path),
                 .place = Place::atOffset(0),
                 .args = {hexOf(start.first(std::min(kShown, start.size())))}};
}

} // namespace gufo
