// Chooses which of several compared models to run within a limit of memory.
#pragma once

#include "ui/report/metric.h"

#include <memory>
#include <optional>
#include <span>

namespace gufo::ui {

// The context for which memoryToRun() states the memory.
inline constexpr std::uint64_t kFittingContext = 4096;

// The bytes that running the model takes, with the trained context or kFittingContext, whichever is shorter. Empty if
// it cannot be estimated. The figure of forecastMemory() (inference/engine/gufo_engine.h), as it is shown everywhere,
// for a model on a server too. Looks at each tensor's name, so it does not belong on the UI thread.
[[nodiscard]] std::optional<std::uint64_t> memoryToRun(const std::shared_ptr<const Model>& model);

struct FitCandidate {
    std::optional<std::uint64_t> memory{};
    std::optional<double> quality{}; // closeness to the reference
    bool exact = false;              // the reference itself, or a model that has lost nothing
};
// A model of a finished comparison.
[[nodiscard]] FitCandidate fitCandidate(const ComparisonReport& report, std::size_t model, const MetricFact& metric);
// The index of the fitting candidate that is closest to the reference; of equally close ones, the smallest. A candidate
// whose memory or closeness is not known is not chosen.
[[nodiscard]] std::optional<std::size_t> bestThatFits(std::span<const FitCandidate> candidates, std::uint64_t limit,
                                                      bool higherIsCloser);

// The same for the models of a finished comparison.
[[nodiscard]] std::optional<std::size_t> bestThatFits(const ComparisonReport& report, const MetricFact& metric,
                                                      std::uint64_t limit);

} // namespace gufo::ui
