// The plan of a conversion to GGUF, and the facts that are shown beside it. Made in a job and not changed afterwards.
#pragma once

#include "convert/conversion_source.h"
#include "convert/convert_folder.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace gufo::ui {

// What the user chooses.
struct ConversionChoices {
    convert::ConvertRequest request{};
    std::filesystem::path base{}; // of an adapter; empty: the adapter's folder has the configuration of its base
};

struct PlannedConversion {
    std::shared_ptr<const convert::ConversionSource> source{};
    convert::ConvertRequest request{};
    convert::ConversionPlan plan{};
    // The largest error of a weight in each row whose scales are rounded; empty unless the source is from before GGUF.
    std::vector<std::optional<double>> losses{};
    std::uint64_t bytes = 0;            // of the result
    std::uint64_t sourceBytes = 0;      // of the files with weights
    std::optional<double> sourceBits{}; // per weight

    [[nodiscard]] double bitsPerWeight() const;
};

// A source that was opened is kept even if it cannot be converted as the user chose: another choice may be possible.
struct PlanningResult {
    std::shared_ptr<const convert::ConversionSource> source; // null if it could not be opened
    Result<std::shared_ptr<const PlannedConversion>> planned;
};

// Whether a model is of a kind that conversion is for: weights in the names of another library, or a file from before
// GGUF. What it lacks is found when the plan is made.
[[nodiscard]] bool mayBeConverted(const Model& model);

// `source` may be null; then that at `path` is opened. `previous` is an earlier plan for the source, or null; it saves
// measuring the losses again. Errors of `planned`: see openConversionSource(), planFor(),
// measureLoss() and convertedBytes().
[[nodiscard]] PlanningResult planConversionOf(const std::filesystem::path& path,
                                              std::shared_ptr<const convert::ConversionSource> source,
                                              const PlannedConversion* previous, const ConversionChoices& choices,
                                              const JobContext& job);

} // namespace gufo::ui
