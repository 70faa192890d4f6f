// Models that an engine in a process of its own runs. Each session has a process: its crash ends that session only, and
// another one can be started. The weights are loaded when the session starts, by the process, from the model's files.
//
// Thread contract: as LoadedModel.
#pragma once

#include "inference/session/session.h"

#include <filesystem>

namespace gufo::inference {

// `program` is the engine's. Errors, before any process is started: NotRunnable (general.architecture: a model that
// generates nothing; EngineNeedsLocalFile: its files are not whole GGUF files on this computer), FileNotFound (a
// missing shard).
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> loadInProcess(std::shared_ptr<const Model> model,
                                                                       std::filesystem::path program);

// Whether an error of a session says that its process is gone, so that only starting another session helps.
[[nodiscard]] bool isProcessGone(const Error& error);

// The version of the library that `program` uses, by starting and ending it. Errors: those of EngineProcess::start().
[[nodiscard]] Result<std::string> versionOfProcess(const std::filesystem::path& program, const JobContext& job);

} // namespace gufo::inference
