// Groups the files of a repository into models, which may consist of shards, and their companions, and finds the model
// that the user typed.
//
// Threads: all functions are thread-safe. resolveModel() waits for a server; the others are pure.
#pragma once

#include "formats/detection/shard_names.h"
#include "hub/model_place.h"
#include "hub/repository.h"

namespace gufo::hub {

enum class FileRole : std::uint8_t {
    Model,
    Projector,  // "mmproj-…": the encoder of images or sounds
    Draft,      // "mtp-…": proposes tokens for the model
    Adapter,    // LoRA
    Importance, // an importance matrix
};

// One GGUF file, or all shards of one model.
struct ModelFiles {
    std::string name; // of the file, or of the first shard
    FileRole role = FileRole::Model;
    std::string quantisation;          // "Q4_K_M" or "UD-Q4_K_XL"; empty if the name states none
    std::vector<RepositoryFile> files; // shards in their order
    std::uint64_t bytes = 0;           // of all files
    std::uint32_t missing = 0;         // shards that the repository lacks
};

// The GGUF files, sorted by role and then by size. Shards of a set belong together if they are in the same folder.
[[nodiscard]] std::vector<ModelFiles> modelsIn(const Repository& repository);

// The first shard that the repository lacks; nothing if the model is complete.
[[nodiscard]] std::optional<ShardName> firstMissing(const ModelFiles& model);

// The model that a name means: the model at its path, else the model with its quantisation (in any letter case; "UD-"
// may be left out if this is unambiguous), else the only model, else the Q4_K_M model. Errors: NoSuchRemoteFile (args:
// the path or quantisation, or "*.gguf"); NotSupported (Detail::SeveralRemoteModels).
[[nodiscard]] Result<ModelFiles> chooseModel(const Repository& repository, const ModelName& name);

struct ResolvedModel {
    Repository repository; // without files for an address of another server
    ModelFiles model;      // for an address of another server, one file of unknown size
};

// Resolves a place to the files that it means: names are looked up on their hub, other addresses are files. Must not be
// called on the UI thread. Fails as listRepository() and chooseModel() do, or with AddressRefused (a path, or an
// address that names no file: Detail::AddressMalformed; Detail::SchemeRefused) or NotSupported
// (Detail::RemoteShardsMissing).
[[nodiscard]] Result<ResolvedModel> resolveModel(net::Client& client, const ModelPlace& place,
                                                 const JobContext& job = {});

} // namespace gufo::hub
