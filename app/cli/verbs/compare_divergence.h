// Runs compared models on a text, and measures how far their predictions diverge from the reference's.
#pragma once

#include "cli/model_access.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::cli {

// Returns the mean KL divergence of each model from the first one, in nats. The first model has no value, nor has a
// model that the engine cannot run or whose vocabulary differs; a note on standard error says why. The models run one
// after the other, each beside the first. The caller must not hold a Cancellation, because loading a model creates one.
// Errors in loading the first model or the text are printed.
[[nodiscard]] Expected<std::vector<std::optional<double>>>
measureDivergences(const std::vector<std::string>& models, const std::string& text, Console& console);

} // namespace gufo::cli
