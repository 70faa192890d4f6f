// Groups the files of a repository into models, which may consist of shards, and their companions.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "formats/detection/shard_names.h"
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

// The model that a name means: that at its path, else that of its quantisation (in any letter case; "UD-" may be left
// out if this is unambiguous), else the only model, else the one of Q4_K_M. Errors: NoSuchRemoteFile (args: the path or
// quantisation, or "*.gguf"); NotSupported (Detail::SeveralRemoteModels).
[[nodiscard]] Result<ModelFiles> chooseModel(const Repository& repository, const ModelName& name);

} // namespace gufo::hub
