#include "quantize/source_checks.h"

#include "base/detail.h"
#include "base/file_operations.h"

#include <algorithm>

namespace gufo {

Result<> checkUnchanged(const Model& model) {
    for (const ModelFile& file : model.files) {
        if (file.source == nullptr) {
            continue;
        }
        GUFO_TRY(checkSource(realFileOperations(), *file.source, SourceUse::Own));
    }
    return {};
}

Result<> checkIsOtherFile(const Model& model, const std::filesystem::path& out) {
    const auto isOut = [&](const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::equivalent(out, path, ignored);
    };
    if (std::ranges::any_of(model.files, isOut, &ModelFile::path) ||
        std::ranges::any_of(model.companions, isOut, [](const auto& companion) { return companion->path(); })) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::OwnFile}, 0});
    }
    return {};
}

} // namespace gufo
