// Words that compare the memory needed for a run with what is available, for the window and the console.
#pragma once

#include "inference/interface/memory_needs.h"

#include <QString>

namespace gufo::ui {

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
