// Models that an engine in a process of its own runs. Each session has a process: its crash ends that session only, and
// another one can be started. The weights are loaded when the session starts, by the process, from the model's files.
//
// Thread contract: as LoadedModel.
#pragma once

#include "inference/interface/engine_capabilities.h"
#include "inference/interface/session.h"

#include <filesystem>

namespace gufo::inference {

// `program` is the engine's. Errors, before any process is started: NotRunnable (general.architecture: a model that
// generates nothing; EngineNeedsLocalFile: its files are not whole GGUF files on this computer), FileNotFound (a
// missing shard).
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> loadInProcess(std::shared_ptr<const Model> model,
                                                                       std::filesystem::path program);

// Whether an error of a session says that its process is gone, so that only starting another session helps.
[[nodiscard]] bool isProcessGone(const Error& error);

// The version of the library that `program` uses, by starting and ending it. Errors: the errors of
// EngineProcess::start().
[[nodiscard]] Result<std::string> versionOfProcess(const std::filesystem::path& program, const JobContext& job);

// The engine of llama.cpp, where its library is installed: all architectures that it knows, on GPUs and several
// machines. The program gufo-llama-helper (app/llama_helper) runs the library. The functions stand in its row of the
// table of engines (engine_table.h).
inline constexpr EngineCapabilities kLibllamaCapabilities{
    .scores = Scores::Logits, .input = Input::Tokens, .grammars = true, .savesState = true, .shiftsContext = true};
inline constexpr ObeyedOptions kLibllamaObeys{
    .context = true, .batch = true, .cacheTypes = true, .threads = true, .rope = true, .offload = true};
[[nodiscard]] Result<std::string> versionOfLibllama(const JobContext& job);
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> loadWithLibllama(std::shared_ptr<const Model> model);

} // namespace gufo::inference
