#include "document/open_model.h"

#include "base/joined_file.h"
#include "base/mapped_file.h"
#include "base/part_file.h"
#include "formats/format.h"
#include "formats/model_folder.h"
#include "formats/pieces.h"

namespace gufo {
namespace {

Result<std::shared_ptr<const Model>> openPieces(const PieceSet& set, const std::filesystem::path& path,
                                                const JobContext& job) {
    auto file = JoinedFile::open(set.pieces, set.whole);
    auto read = file ? readModel(*std::move(file), job) : std::unexpected(std::move(file).error());
    if (!read) {
        return read;
    }
    auto model = std::make_shared<Model>(**read);
    model->openedAs = path;
    return model;
}

} // namespace

Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path, const JobContext& job) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        removeAbandonedParts(path);
        return readModelFolder(path, job);
    }
    if (const auto recovered = recoverModel(path); !recovered && recovered.error().code != ErrorCode::FileNotFound) {
        return std::unexpected(recovered.error());
    }
    if (std::filesystem::is_regular_file(path, error)) {
        const auto pieces = piecesOfFile(path);
        if (!pieces) {
            return std::unexpected(pieces.error());
        }
        if (*pieces) {
            return openPieces(**pieces, path, job);
        }
    }
    auto file = MappedFile::open(path);
    if (!file) {
        return std::unexpected(std::move(file).error());
    }
    return readModel(*std::move(file), job);
}

} // namespace gufo
