#include "quantize/source_checks.h"

#include "base/detail.h"
#include "base/file_operations.h"

namespace gufo {

Result<> checkUnchanged(const Model& model) {
    for (const ModelFile& file : model.files) {
        if (file.source == nullptr) {
            continue;
        }
        if (auto same = checkSource(realFileOperations(), *file.source, SourceUse::Own); !same) {
            return same;
        }
    }
    return {};
}

Result<> checkIsOtherFile(const Model& model, const std::filesystem::path& out) {
    for (const ModelFile& file : model.files) {
        std::error_code ignored;
        if (std::filesystem::equivalent(out, file.path, ignored)) {
            return std::unexpected(Error{ErrorCode::InvalidArgument, out, {}, {Detail::OwnFile}, 0});
        }
    }
    return {};
}

} // namespace gufo
