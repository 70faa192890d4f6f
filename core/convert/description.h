// A model of another container in GGUF's keys, so that it can be shown as GGUF files are: its architecture, sizes, name
// and licence. A folder is described by its configuration and model card, with the tables of the converter; a file from
// before GGUF, by its hyper-parameters. Vocabularies and weights are not read.
//
// Thread contract: thread-safe. Reads the configuration files, about 100 KB at most.
#pragma once

#include "model/model.h"

#include <memory>

namespace gufo::convert {

// Returns a copy of the model with GGUF's keys after its own keys. Returns the model itself if it has GGUF's keys
// already, or if it has neither a configuration nor hyper-parameters. A class that the converter does not support is
// described by the settings that most models share, and its architecture is named after "model_type".
[[nodiscard]] std::shared_ptr<const Model> describe(std::shared_ptr<const Model> model);

} // namespace gufo::convert
