// The plan of a conversion to GGUF with what is shown beside it. Made in a job and not changed afterwards.
#pragma once

#include "convert/convert_folder.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace gufo::ui {

struct PlannedConversion {
    std::shared_ptr<const convert::SourceFolder> source{};
    convert::ConvertRequest request{};
    convert::ConversionPlan plan{};
    std::uint64_t bytes = 0;            // of the result
    std::uint64_t sourceBytes = 0;      // of the files with weights
    std::optional<double> sourceBits{}; // per weight

    [[nodiscard]] double bitsPerWeight() const;
};

// Whether a model is of a kind that conversion is for: weights in the names of another library. What its folder lacks
// is found when the plan is made.
[[nodiscard]] bool mayBeConverted(const Model& model);

// `source` may be null: then the folder of the model at `path` is read. Errors: those of SourceFolder::open(),
// planConversion() and convertedBytes().
[[nodiscard]] Result<std::shared_ptr<const PlannedConversion>>
planConversionOf(const std::filesystem::path& path, std::shared_ptr<const convert::SourceFolder> source,
                 const convert::ConvertRequest& request, const JobContext& job);

} // namespace gufo::ui
