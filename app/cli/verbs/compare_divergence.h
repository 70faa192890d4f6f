// Runs compared models on a text, and measures how far their predictions diverge from the reference's.
#pragma once

#include "cli/model_access.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::cli {

// The mean KL divergence from the first model in nats, by model; nothing for the first, and for those that the engine
// cannot run or that have another vocabulary, which is said on standard error. The models are run one after the other
// beside the first. No Cancellation may exist, because loading a model has its own. Errors, which are printed: those of
// the first model, and of the text.
[[nodiscard]] Expected<std::vector<std::optional<double>>>
measureDivergences(const std::vector<std::string>& models, const std::string& text, Console& console);

} // namespace gufo::cli
