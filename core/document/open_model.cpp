#include "document/open_model.h"

#include "base/mapped_file.h"
#include "formats/detect.h"
#include "formats/gguf/read/shards.h"
#include "formats/gguf/recover/journal.h"
#include "formats/gguf/recover/recover.h"

#include <algorithm>

namespace gufo {

Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path, const JobContext& job) {
    if (const auto recovered = gguf::recover(path); !recovered && recovered.error().code != ErrorCode::FileNotFound) {
        return std::unexpected(recovered.error());
    }
    auto file = MappedFile::open(path);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    const Bytes start = *(*file)->view({0, std::min<std::uint64_t>((*file)->size(), 16)});
    if (gguf::hasMagic(start)) {
        return gguf::open(*file, job);
    }
    if (std::ranges::equal(start.first(std::min(start.size(), gguf::kUnfinishedMagic.size())),
                           gguf::kUnfinishedMagic)) {
        std::error_code none;
        const auto resolved = std::filesystem::canonical(path, none);
        return std::unexpected(Error{
            ErrorCode::SaveInterrupted, path, {}, {gguf::journalPath(none ? path : resolved).filename().native()}, 0});
    }
    const auto format = detectFormat(**file);
    const Error error = format
                            ? Error{.code = ErrorCode::OtherFormat, .file = path, .args = {std::string(format->name)}}
                            : gguf::notAModel(start, path);
    const auto damage = (*file)->damage();
    return std::unexpected(damage ? *damage : error);
}

} // namespace gufo
