// A model of another container in GGUF's keys, so that it can be shown as GGUF files are: its architecture, sizes, name
// and licence. A folder is described by its configuration and model card, with the tables of the converter; a file from
// before GGUF, by its hyper-parameters. Vocabularies and weights are not read.
//
// Threads: pure but for reading the configuration, at most some 100 KB.
#pragma once

#include "model/model.h"

#include <memory>

namespace gufo::convert {

// A copy of the model with further keys behind its own. The model itself if it has GGUF's keys already, or if nothing
// beside it describes it. A class that cannot be converted is described by the settings that most models share, under
// the name that its configuration gives to its kind.
[[nodiscard]] std::shared_ptr<const Model> describe(std::shared_ptr<const Model> model);

} // namespace gufo::convert
