// The origin of a GGUF file, a folder in Hugging Face's layout, as a model with the tensors and keys that the
// conversion would write. Nothing is written: the operations of the plan are applied to weights when they are read, so
// the model can be compared with a file like any other.
//
// Threads: immutable; weights may be read on any thread.
#pragma once

#include "convert/plan.h"

#include <filesystem>
#include <memory>

namespace gufo::convert {

// The folder that contains the model and its configuration, if the model can be the origin of a GGUF file, which a GGUF
// file itself cannot be.
[[nodiscard]] std::optional<std::filesystem::path> originFolder(const Model& model);

struct Origin {
    // The model as it was opened, and the plan of its conversion.
    std::shared_ptr<const Model> source;
    std::shared_ptr<const ConversionPlan> plan;
    // Tensor i is row i of the plan. It has the type and size of the stored tensors; its source is a ComputedWeights.
    // general.file_type is left out, because it describes the types of a file.
    std::shared_ptr<const Model> model;
};

// `source` must be a model with an originFolder(). If bytes of a tensor are missing, only ComputedWeights::check() of
// that tensor fails. Errors: the errors of SourceFolder::whole() and planConversion().
[[nodiscard]] Result<std::shared_ptr<const Origin>> readOrigin(std::shared_ptr<const Model> source,
                                                               const JobContext& job = {});

} // namespace gufo::convert
