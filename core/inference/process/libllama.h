// The engine of llama.cpp, where its library is installed: all architectures that it knows, on GPUs and several
// machines. The program gufo-llama-helper (app/llama_helper) runs the library.
#pragma once

#include "inference/session/responder.h"

namespace gufo::inference {

inline constexpr EngineCapabilities kLibllamaCapabilities{
    .scores = Scores::Logits, .input = Input::Tokens, .grammars = true, .savesState = true, .shiftsContext = true};
inline constexpr ObeyedOptions kLibllamaObeys{
    .context = true, .batch = true, .cacheTypes = true, .threads = true, .rope = true, .offload = true};

// The functions of its row in the table of engines (engine_table.h).
[[nodiscard]] Result<std::string> versionOfLibllama(const JobContext& job);
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> loadWithLibllama(std::shared_ptr<const Model> model);
[[nodiscard]] Result<std::unique_ptr<Responder>> openLibllama(const std::shared_ptr<const Model>& model,
                                                              const SessionOptions& options, const JobContext& job);

} // namespace gufo::inference
