// A folder as one model: its weights in one file or in shards, and the files beside them that describe it
// (Hugging Face's layout).
//
// The members of configuration files become keys, with the name of the file as prefix: "config.hidden_size",
// "generation_config.eos_token_id", "card.license" (the front matter of README.md). Files that are read as a whole,
// such as a tokenizer, become one key each, named like the file: "tokenizer.json". Nothing is renamed to GGUF's keys.
//
// Threads: thread-safe. The functions read the disk, so they must not be called on the UI thread.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>

namespace gufo {

// The file by which the models of a folder are opened: safetensors before pickles, and one file before a set in shards,
// as transformers choose. Errors: NotSupported (Detail::NoModelInFolder, or
// Detail::SeveralModels with their number), FileNotFound, PermissionDenied, the errors of reading the folder.
[[nodiscard]] Result<std::filesystem::path> modelFileIn(const std::filesystem::path& folder);

// Whether a folder is one model rather than a place where models are kept: it has a configuration or a list of shards,
// and its model does not describe itself as GGUF does.
[[nodiscard]] bool isModelFolder(const std::filesystem::path& folder);

// Opens the model of a folder together with what describes it. A file beside it that cannot be read is a finding, and
// so are files of weights that are not used because modelFileIn() prefers others. Errors: the errors of modelFileIn()
// and readModel(); Cancelled.
[[nodiscard]] Result<std::shared_ptr<const Model>> readModelFolder(const std::filesystem::path& folder,
                                                                   const JobContext& job = {});
// The same with the weights in the file `name` of the folder, or in the set that it belongs to. Errors: the errors of
// opening the file, in place of the errors of modelFileIn().
[[nodiscard]] Result<std::shared_ptr<const Model>> readModelFolder(const std::filesystem::path& folder,
                                                                   std::string_view name, const JobContext& job = {});

} // namespace gufo
