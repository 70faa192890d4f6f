// What a run needs of memory against what there is, in words: the same in the window and on the console.
#pragma once

#include "inference/session/needs.h"

#include <QString>

namespace gufo::ui {

// A sentence. Empty where the machine's memory is not known.
[[nodiscard]] QString memoryVerdictText(const inference::MemoryForecast& forecast,
                                        const inference::MachineMemory& machine);
// That the figures are an estimate, and why; empty where they are the engine's.
[[nodiscard]] QString memoryEstimateText(const inference::MemoryForecast& forecast);
// Why there are no figures: of an error of inference::forecastMemory().
[[nodiscard]] QString memoryProblemText(const Model& model, const Error& error);

} // namespace gufo::ui
