#include "document/open_model.h"

#include "base/detail.h"
#include "base/joined_file.h"
#include "base/mapped_file.h"
#include "base/part_file.h"
#include "formats/container/container.h"
#include "formats/container/model_saving.h"
#include "formats/ollama/store.h"
#include "formats/save/recover.h"
#include "formats/sets/file_pieces.h"
#include "formats/sets/model_folder.h"
#include "hub/remote_model.h"
#include "hub/repository_models.h"

namespace gufo {
namespace {

Result<std::shared_ptr<const Model>> openPieces(const PieceSet& set, const std::filesystem::path& path,
                                                const JobContext& job) {
    auto file = GUFO_TRY(JoinedFile::open(set.pieces, set.whole));
    auto read = GUFO_TRY(readModel(std::move(file), job));
    auto model = std::make_shared<Model>(*read);
    model->openedAs = path;
    return model;
}

// Undoes or completes interrupted saves of the files in a folder, which is opened as a whole.
Result<> recoverFolder(const std::filesystem::path& folder) {
    for (const std::filesystem::path& file : saving::interruptedFiles(folder)) {
        const auto recovered = recoverModel(file);
        if (!recovered && recovered.error().code != ErrorCode::FileNotFound) {
            return std::unexpected(recovered.error());
        }
    }
    return {};
}

// Opens the only model of a store; of several, the user has to name one.
Result<std::shared_ptr<const Model>> openStore(const std::filesystem::path& store, const std::filesystem::path& path,
                                               const JobContext& job) {
    const auto models = GUFO_TRY(ollama::modelsIn(store, job));
    if (models.size() == 1) {
        return openModel(models.front().manifest, job);
    }
    Argument why =
        models.empty() ? Argument(Detail::NoModelInFolder) : Argument(Detail::SeveralModels, {models.size()});
    return std::unexpected(Error{ErrorCode::NotSupported, path, {}, {std::move(why)}, 0});
}

// The address of the first file of the model that a name means.
Result<std::string> fileAddress(net::Client& client, const hub::HubName& name, const JobContext& job) {
    if (name.isFileAddress()) {
        return name.text;
    }
    auto resolved = GUFO_TRY(hub::resolveModel(client, name, job));
    return resolved.model.files.front().url;
}

} // namespace

Result<std::shared_ptr<const Model>> openModel(const hub::ModelPlace& place, const JobContext& job) {
    return openModel(place, job, {});
}

Result<std::shared_ptr<const Model>> openModel(const hub::ModelPlace& place, const JobContext& job,
                                               const hub::OpeningWatch& watch) {
    if (const auto* path = place.localPath()) {
        return openModel(*path, job);
    }
    const auto client = net::Client::shared();
    if (const hub::HubName* name = place.hubName()) {
        const auto address = GUFO_TRY(fileAddress(*client, *name, job));
        return hub::openRemoteModel(client, address, job, watch);
    }
    return hub::openRemoteModel(client, place.url()->text, job, watch);
}

Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path, const JobContext& job) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        if (const auto store = ollama::storeOf(path)) {
            return openStore(*store, path, job);
        }
        GUFO_TRY(recoverFolder(path));
        removeAbandonedParts(path);
        return readModelFolder(path, job);
    }
    if (!std::filesystem::exists(path, error)) {
        if (const auto manifest = ollama::manifestNamed(path)) {
            return openModel(*manifest, job);
        }
    }
    if (const auto recovered = recoverModel(path); !recovered && recovered.error().code != ErrorCode::FileNotFound) {
        return std::unexpected(recovered.error());
    }
    if (path.extension() == ".json") { // it may list the files of a set
        GUFO_TRY(recoverFolder(path.parent_path().empty() ? "." : path.parent_path()));
    }
    if (std::filesystem::is_regular_file(path, error)) {
        const auto pieces = GUFO_TRY(piecesOfFile(path));
        if (pieces) {
            return openPieces(*pieces, path, job);
        }
    }
    auto file = GUFO_TRY(MappedFile::open(path));
    return readModel(std::move(file), job);
}

} // namespace gufo
