// Opens a model file in any supported container (formats/container/container.h), the pieces of one
// (formats/sets/file_pieces.h), a folder that is a model, a model in the store of Ollama by its name
// ("STORE/llama3:8b"), or a file on a server by its address
// ("https://…") or its name on a hub (hub/model_name.h), whose tensors are not fetched before they are viewed.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>
#include <memory>

namespace gufo::hub {
struct OpeningWatch;
}

namespace gufo {

// First undoes or completes an interrupted save of the file. Errors: the errors of recoverModel, MappedFile::open,
// readModel, readModelFolder, piecesOfFile, JoinedFile::open, RemoteSource::open, readFetchedModel and resolveModel.
// May be called on any thread; a network drive or a server can make it slow.
[[nodiscard]] Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path,
                                                             const JobContext& job = {});
// Also reports what arrives while a file on a server is opened (hub/remote_model.h).
[[nodiscard]] Result<std::shared_ptr<const Model>> openModel(const std::filesystem::path& path, const JobContext& job,
                                                             const hub::OpeningWatch& watch);

} // namespace gufo
