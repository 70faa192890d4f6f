// A model of another container in GGUF's keys, so that it can be shown as GGUF files are: its architecture, sizes, name
// and licence. A folder is described by its configuration and model card, with the tables of the converter; a file from
// before GGUF, by its hyper-parameters. Weights are not read.
//
// Thread contract: thread-safe.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <filesystem>
#include <memory>

namespace gufo::convert {

// Returns a copy of the model with GGUF's keys after its own keys. Returns the model itself if it has GGUF's keys
// already, or if it has neither a configuration nor hyper-parameters. A class that the converter does not support is
// described by the settings that most models share, and its architecture is named after "model_type". Vocabularies are
// not read: that takes the time of reading about 100 KB.
[[nodiscard]] std::shared_ptr<const Model> describe(std::shared_ptr<const Model> model);

// The folder that has the configuration of a model.
[[nodiscard]] std::filesystem::path folderOf(const Model& model);

// Returns a copy of the model with GGUF's keys of the vocabulary and the chat templates after its own keys, as they
// would be converted. Returns the model itself if it has such keys already, or if there is no tokenizer beside it.
// Takes the time of reading the tokenizer's files. Errors: the errors of SourceFolder::of() and planVocabulary().
[[nodiscard]] Result<std::shared_ptr<const Model>> describeVocabulary(std::shared_ptr<const Model> model,
                                                                      const JobContext& job = {});

} // namespace gufo::convert
