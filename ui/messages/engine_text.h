// Words for engines and the features they lack, for the window and the console.
#pragma once

#include "base/error.h"
#include "inference/interface/engine_capabilities.h"
#include "inference/interface/server_facts.h"

#include <QString>

#include <span>
#include <string>
#include <string_view>

namespace gufo::ui {

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

// Names texts of control tokens, only the first of many: "<s>, </s> and 2 others".
[[nodiscard]] QString typedSpecialsText(std::span<const std::string> texts);

} // namespace gufo::ui
