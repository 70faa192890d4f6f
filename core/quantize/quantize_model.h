// Quantises a model: writes it with the tensor types of a recipe, streaming the weights in pieces and keeping
// everything else.
//
// Threads: any. JobContext::threads workers encode; the bytes written do not depend on their number.
#pragma once

#include "base/job_context.h"
#include "formats/imatrix/imatrix.h"
#include "model/file_type.h"
#include "quantize/imatrix_coverage.h"
#include "quantize/recipe.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo {

struct QuantizeRequest {
    RecipeRequest recipe; // hasImatrix is set by `imatrix`
    std::shared_ptr<const Imatrix> imatrix;
    std::string recipeText{};     // of a recipe file; the result keeps it as quantize.recipe. Empty: none
    bool allowRequantize = false; // whether tensors that are already quantised may be quantised again
};

struct QuantizePlan {
    RecipePlan types;
    std::optional<ImportanceUse> importance{}; // nothing without an importance matrix
    std::uint64_t fileBytes = 0;
    std::uint64_t tensorBytes = 0;
    std::uint64_t weights = 0;

    [[nodiscard]] const std::vector<PlannedTensor>& tensors() const { return types.tensors; } // in the model's order
    [[nodiscard]] double bitsPerWeight() const {
        return weights == 0 ? 0 : 8.0 * static_cast<double>(tensorBytes) / static_cast<double>(weights);
    }
};

// The file type that names the type of most of the bytes, for a file that no named recipe has made; null if none does.
[[nodiscard]] const FileTypeFact* mostFrequentType(const std::vector<PlannedTensor>& tensors);

// Determines what quantizeModel() will write, and reads the importance matrix, so it must not be called on the UI
// thread. Errors: the errors of planRecipe(); LossySource, with the place; the errors of importanceUse(); FileNotFound,
// RangeOutsideFile, Truncated (an incomplete tensor); InvalidArgument (keys or tensors that a GGUF file cannot contain,
// such as duplicate names); FormatReadOnly (a model of another container, which has to be converted first).
[[nodiscard]] Result<QuantizePlan> planQuantization(const Model& model, const QuantizeRequest& request,
                                                    const JobContext& job = {});

// Writes the model as one GGUF version 3 file in the model's byte order; shards are merged. general.file_type and
// general.quantization_version describe the result, quantize.imatrix.* the importance matrix if a tensor is encoded
// with it; split.* is dropped. Progress is in bytes written. Errors: the errors of planQuantization() and OutputFile;
// WeightOutOfRange; InvalidArgument (`out` is a file of the model); FileChangedWhileReading; Cancelled. After an error
// there is no new file, and an existing one is unchanged.
[[nodiscard]] Result<QuantizePlan> quantizeModel(const Model& model, const QuantizeRequest& request,
                                                 const std::filesystem::path& out, const JobContext& job = {});

} // namespace gufo
