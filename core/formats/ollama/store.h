// Models in the store of Ollama: STORE/manifests/HOST/NAMESPACE/NAME/TAG is a JSON file that lists the layers of a
// model, and STORE/blobs/sha256-HEX are the layers. Models are opened where they are. Because several manifests may
// share a blob, whose name is its hash, they are never saved in place.
//
// Threads: all functions are thread-safe. They read the disk.
#pragma once

#include "base/job_context.h"
#include "formats/sets/folder_files.h"
#include "model/model.h"

namespace gufo::ollama {

struct StoredModel {
    std::string name; // "llama3:8b"; with the namespace or host unless they are the usual ones: "owl/llama3:8b"
    std::filesystem::path manifest;
    std::uint64_t bytes = 0; // of the layer with the weights, as the manifest states
};

// Returns the store if the folder is one, or is the folder of manifests or of blobs in one; nothing for other folders.
[[nodiscard]] std::optional<std::filesystem::path> storeOf(const std::filesystem::path& folder);
// The models of a store, sorted by name. Manifests that cannot be read or have no weights are left out. Errors:
// Cancelled.
[[nodiscard]] Result<std::vector<StoredModel>> modelsIn(const std::filesystem::path& store, const JobContext& job);
// The manifest that "STORE/llama3:8b" stands for, if there is one. The tag is "latest" if it is left out.
[[nodiscard]] std::optional<std::filesystem::path> manifestNamed(const std::filesystem::path& path);

// The name that a manifest has by its path, as StoredModel::name; nothing for other paths. Reads nothing.
[[nodiscard]] std::optional<std::string> nameOfManifest(const std::filesystem::path& path);

// Opens the model of a manifest. Errors: the errors of JsonReader; Malformed (Detail::NoModelLayer: there is no layer
// with weights, or its digest is invalid), FileNotFound (the blob is missing), the errors of readModel.
[[nodiscard]] Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> manifest,
                                                        const JobContext& job,
                                                        const SourceOpener& openFile = mappedFileOpener());

} // namespace gufo::ollama
