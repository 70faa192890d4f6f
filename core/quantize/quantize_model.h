// Writes a model with other tensor types: a recipe applied, streamed through in pieces, all else kept.
//
// Threads: may run on any thread; JobContext::threads workers encode. The bytes written do not depend on their number.
#pragma once

#include "base/job_context.h"
#include "formats/imatrix/imatrix.h"
#include "quantize/recipe.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace gufo {

struct QuantizeRequest {
    RecipeRequest recipe; // hasImatrix is set by `imatrix`
    std::shared_ptr<const Imatrix> imatrix;
    bool allowRequantize = false; // tensors that are quantised already, once more
};

struct QuantizePlan {
    std::vector<PlannedTensor> tensors; // in the model's order
    std::uint64_t fileBytes = 0;
    std::uint64_t tensorBytes = 0;
    std::uint64_t weights = 0;
    std::size_t withoutImportance = 0; // tensors that are to be quantised and have no entry in the importance matrix

    [[nodiscard]] double bitsPerWeight() const {
        return weights == 0 ? 0 : 8.0 * static_cast<double>(tensorBytes) / static_cast<double>(weights);
    }
};

// What quantizeModel() will write. Errors: those of planRecipe; LossySource, with the place; those of Imatrix::check;
// FileNotFound, RangeOutsideFile, Truncated (a tensor whose bytes are not all there); InvalidArgument (a model whose
// keys or tensors cannot stand in a GGUF file, as two of one name).
[[nodiscard]] Result<QuantizePlan> planQuantization(const Model& model, const QuantizeRequest& request);

// In the model's byte order, as GGUF version 3, in one file; shards become one. general.file_type and
// general.quantization_version say what it is, quantize.imatrix.* what it was made with; split.* goes. Progress in
// bytes written. Errors: those of planQuantization and OutputFile; WeightOutOfRange; InvalidArgument (out is a file of
// the model); FileChangedWhileReading; Cancelled. Whatever goes wrong, there is no new file, and an old one is
// untouched.
[[nodiscard]] Result<QuantizePlan> quantizeModel(const Model& model, const QuantizeRequest& request,
                                                 const std::filesystem::path& out, const JobContext& job = {});

} // namespace gufo
