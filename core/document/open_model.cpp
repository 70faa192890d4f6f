#include "document/open_model.h"

#include "base/mapped_file.h"
#include "base/part_file.h"
#include "formats/format.h"
#include "formats/model_folder.h"

namespace gufo {

Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path, const JobContext& job) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        removeAbandonedParts(path);
        return readModelFolder(path, job);
    }
    if (const auto recovered = recoverModel(path); !recovered && recovered.error().code != ErrorCode::FileNotFound) {
        return std::unexpected(recovered.error());
    }
    auto file = MappedFile::open(path);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    return readModel(*std::move(file), job);
}

} // namespace gufo
