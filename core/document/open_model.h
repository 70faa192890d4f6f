// Opens a model. On this computer: a file in any supported container (formats/container/container.h), the pieces of one
// (formats/sets/file_pieces.h), a folder that is a model, or a model in the store of Ollama by its name
// ("STORE/llama3:8b"). On a server: a file by its address, or the model that a name on a hub means
// (hub/model_place.h), whose tensors are not fetched before they are viewed.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>
#include <memory>

namespace gufo::hub {
class ModelPlace;
struct OpeningWatch;
} // namespace gufo::hub

namespace gufo {

// On this computer. First undoes or completes an interrupted save of the file. Errors: the errors of recoverModel,
// MappedFile::open, readModel, readModelFolder, piecesOfFile and JoinedFile::open. May be called on any thread; a
// network drive can make it slow.
[[nodiscard]] Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path,
                                                             const JobContext& job = {});
// Anywhere. Errors: also the errors of RemoteSource::open, readFetchedModel and resolveModel. May be called on any
// thread that can wait for a server.
[[nodiscard]] Result<std::shared_ptr<const Model>> openModel(const hub::ModelPlace& place, const JobContext& job = {});
// Also reports what arrives while a file on a server is opened (hub/remote_model.h).
[[nodiscard]] Result<std::shared_ptr<const Model>> openModel(const hub::ModelPlace& place, const JobContext& job,
                                                             const hub::OpeningWatch& watch);

} // namespace gufo
