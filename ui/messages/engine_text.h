// Words about running a model, for the window and the console: engines and the features they lack, the tensors that a
// run ignores, and the memory that it needs.
#pragma once

#include "base/error.h"
#include "inference/interface/engine_capabilities.h"
#include "inference/interface/memory_needs.h"
#include "inference/interface/server_facts.h"

#include <QString>

#include <span>
#include <string>
#include <string_view>

namespace gufo::ui {

// ---- engines -------------------------------------------------------------------------------------------------------

// The engine's display name, or its id if it has none.
[[nodiscard]] QString engineName(std::string_view id);
// Why a feature is not available: "this engine does not support grammars". A tool tip capitalises it.
[[nodiscard]] QString featureMissing(inference::Feature feature);
[[nodiscard]] QString featureMissingTip(inference::Feature feature);

// Why a model does not draft with a block of its own: the error of inference::LoadedModel::mtpDrafts().
[[nodiscard]] QString mtpDraftsMissing(const Error& error);
[[nodiscard]] QString mtpDraftsMissingTip(const Error& error);

// The program of a server and its capabilities: "llama-server b11669-Debian, context of 4,096 tokens".
[[nodiscard]] QString serverText(const inference::ServerFacts& facts);
// Whether a server runs the model of the opened file, and whether it uses the chat template of the file.
[[nodiscard]] QString serverMatchText(const inference::ServerMatch& match);
// The same as an argument of an Error, which is translated when it is shown.
[[nodiscard]] Argument serverMatchDetail(const inference::ServerMatch& match);

// Names texts of control tokens, only the first of many: "<s>, </s> and 2 others".
[[nodiscard]] QString typedSpecialsText(std::span<const std::string> texts);

// ---- tensors that are left out -------------------------------------------------------------------------------------

// A sentence about inference::LoadedModel::leftOut(). It names only the first tensors of many, and is empty if there
// are none. `drafts`: the first block that predicts further tokens drafts, and so is not left out.
[[nodiscard]] QString leftOutText(std::span<const std::string> tensors, bool drafts = false);
// A sentence about a model whose decoder is left out (inference::leavesOutDecoder()).
[[nodiscard]] QString decoderLeftOutText();

// ---- memory --------------------------------------------------------------------------------------------------------

// A sentence. Empty if the machine's memory is not known.
[[nodiscard]] QString memoryVerdictText(const inference::MemoryForecast& forecast,
                                        const inference::MachineMemory& machine);
// Whether the verdict is that the whole model fits, and nothing in the file keeps it from running.
[[nodiscard]] bool memorySuffices(const inference::MemoryForecast& forecast);
// How the KV cache grows with the context: "14 KiB per token".
[[nodiscard]] QString kvGrowthText(const inference::MemoryNeeds& needs);
// Says that the figures are an estimate, and why. Empty if they come from the engine.
[[nodiscard]] QString memoryEstimateText(const inference::MemoryForecast& forecast);
// Why there are no figures, given an error of inference::forecastMemory().
[[nodiscard]] QString memoryProblemText(const Model& model, const Error& error);

} // namespace gufo::ui
