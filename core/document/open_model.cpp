#include "document/open_model.h"

#include "base/mapped_file.h"
#include "formats/detect.h"
#include "gguf/shards.h"

#include <algorithm>

namespace gufo {

Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path, const JobContext& job) {
    auto file = MappedFile::open(path);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    const Bytes start = *(*file)->view({0, std::min<std::uint64_t>((*file)->size(), 16)});
    if (gguf::hasMagic(start)) {
        return gguf::open(*file, job);
    }
    const auto format = detectFormat(**file);
    const Error error = format
                            ? Error{.code = ErrorCode::OtherFormat, .file = path, .args = {std::string(format->name)}}
                            : gguf::notAModel(start, path);
    const auto damage = (*file)->damage();
    return std::unexpected(damage ? *damage : error);
}

} // namespace gufo
