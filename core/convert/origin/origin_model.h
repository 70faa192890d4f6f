// The origin of a GGUF file, a folder in Hugging Face's layout, as a model that has the tensors and keys that the
// conversion would write. Nothing is written: weights are computed when they are read, so the model can be compared
// with a file like any other, with the operations of the plan applied to it.
#pragma once

#include "convert/plan.h"

#include <filesystem>
#include <memory>

namespace gufo::convert {

// The folder in which a model that was opened lies with its configuration, if it can be the origin of a GGUF file: the
// model is not one itself.
[[nodiscard]] std::optional<std::filesystem::path> originFolder(const Model& model);

struct Origin {
    // The model as it was opened, and what the conversion would do.
    std::shared_ptr<const Model> source;
    std::shared_ptr<const ConversionPlan> plan;
    // Tensor i is row i of the plan. Its type and size are those of the stored tensors; its source is ComputedWeights.
    // general.file_type is left out, because it describes the types that a file has.
    std::shared_ptr<const Model> model;
};

// `source` must be a model with an originFolder(). A tensor whose bytes are missing is an error of that tensor only.
// Errors: those of SourceFolder::of() and planConversion().
[[nodiscard]] Result<std::shared_ptr<const Origin>> readOrigin(std::shared_ptr<const Model> source,
                                                               const JobContext& job = {});

} // namespace gufo::convert
