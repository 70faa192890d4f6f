// Files of Ollama's library that differ from what other programs read: other names of keys and tensors, keys that are
// missing, vocabularies that are longer than the embedding, and the encoder of images or sound in the model's file.
//
// Source of the differences: Ollama, llama/compat (its README.md and the comments about each architecture), read in
// November 2026.
//
// Threads: pure and thread-safe.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <optional>
#include <string>
#include <vector>

namespace gufo {

struct OllamaDialect {
    std::vector<std::string> differences{}; // in symbols: "gptoss.* → gpt-oss.*"
    std::vector<std::string> unknown{};     // what no change of this file undoes: names of tensors
    std::vector<Change> changes{};          // to the common form; complete only if nothing is unknown
};
// Nothing if the file is not in the dialect. No weights are read.
[[nodiscard]] std::optional<OllamaDialect> ollamaDialect(const Model& model);

} // namespace gufo
