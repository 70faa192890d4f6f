// Prints a comparison as text for the terminal.
#pragma once

#include "cli/console.h"
#include "cli/model_access.h"
#include "ui/report/metric.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace gufo::cli {

struct CompareText {
    const ui::MetricFact& metric;
    const ui::MetricFact& fitting;        // the metric that chooses the best model within a limit of memory
    const ui::MetricFact* sort = nullptr; // null: file order
    bool all = false;
    std::optional<std::uint64_t> memory{}; // if set, the best model that runs within this many bytes is named
};
// The ids of the metrics that --metric takes, the default first: "sqnr, nmse …".
[[nodiscard]] QString metricIds();
void printComparison(Console& console, const ui::ComparisonReport& report, const CompareText& options);

// Runs compared models on a text, and measures how far their predictions diverge from the reference's.

// Returns the mean KL divergence of each model from the first one, in nats. The first model has no value, nor has a
// model that the engine cannot run or whose vocabulary differs; a note on standard error says why. The models run one
// after the other, each beside the first. The caller must not hold a Cancellation, because loading a model creates one.
// Errors in loading the first model or the text are printed.
[[nodiscard]] Expected<std::vector<std::optional<double>>>
measureDivergences(const std::vector<std::string>& models, const std::string& text, Console& console);

} // namespace gufo::cli
