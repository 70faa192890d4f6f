// The plan of a conversion: every tensor with its type and how it is computed, every key and the origin of its value,
// and everything that is left out. The plan is complete before anything is written, so it can be shown, and compared
// with an existing model.
//
// Threads: thread-safe. planConversion() reads the files of the tokenizer, so it must not be called on the UI thread.
#pragma once

#include "convert/architecture.h"
#include "formats/imatrix/imatrix.h"
#include "model/finding.h"
#include "quantize/imatrix_coverage.h"
#include "quantize/recipe.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::convert {

struct ConvertRequest {
    // The types of the result; without a recipe, the types of the source as far as GGUF has them (F16 for weights in
    // F32, BF16 for weights of 8 bits; weights of 4 bits whose encoding GGUF also has stay as they are). overrides and
    // the rest apply to both.
    RecipeRequest recipe{};
    std::shared_ptr<const Imatrix> imatrix{};
    bool vocabularyOnly = false; // no tensors
    std::string name{};          // general.name; empty: the name of the folder
};

struct PlannedRow {
    std::string target;
    std::uint32_t typeId = 0;
    TypeReason reason = TypeReason::Kept;
    Shape shape{};
    std::uint64_t bytes = 0;
    std::vector<SourcePart> parts{};    // none if it is computed
    std::vector<std::string> sources{}; // the names of all tensors of the source from which it is made
    std::vector<Operation> operations{};
    std::vector<float> computed{};
};

struct ConversionPlan {
    const Architecture* architecture = nullptr;
    std::vector<PlannedRow> rows;
    std::vector<PlannedKey> keys;
    std::vector<UnusedTensor> unused;
    // First the obstacles that make the result useless, so that it should not be written (addObstacles()); then other
    // errors in the result, and errors that the reader of the source found; then files of weights that were not used,
    // where the files of the tokenizer disagree, and how that was resolved.
    std::vector<Finding> findings;
    std::size_t obstacles = 0;                 // findings of the first kind
    const Recipe* recipe = nullptr;            // the requested one, or the one that the source suggests
    std::optional<ImportanceUse> importance{}; // nothing without an importance matrix
    std::uint64_t weights = 0;
    std::uint64_t tensorBytes = 0;

    [[nodiscard]] std::size_t fallbacks() const; // rows whose type does not fit their width
};

// The errors among the findings of a source's reader. A checkpoint that would run code is converted all the same,
// because it is never executed, but its reader must know what it contains.
[[nodiscard]] std::vector<Finding> errorsOf(const Model& source);
// Those that say which files in the folder were not used: weights, and descriptions that cannot be read.
[[nodiscard]] std::vector<Finding> choicesOf(const Model& source);

// Errors: NotSupported (Detail::NoModelClass, ClassNotSupported; TensorsUnmapped with the names of all tensors that
// have no place; ExpertsIncomplete; SettingMissing); the errors of sourceTensors(), of planRecipe() and of
// importanceUse(); InvalidArgument (operations that do not fit, two tensors of one name); the errors of
// planVocabulary(); Cancelled.
[[nodiscard]] Result<ConversionPlan> planConversion(const SourceFolder& source, const ConvertRequest& request = {},
                                                    const JobContext& job = {});

// The rows of a conversion with their shapes, but without types and keys, for pictures of the source: tensors that have
// no place, or do not fit, are left out instead of being errors. The tokenizer is not read. Errors: NotSupported
// (Detail::NoModelClass, ClassNotSupported); the errors of sourceTensors(); Cancelled.
[[nodiscard]] Result<ConversionPlan> sketchConversion(const SourceFolder& source, const JobContext& job = {});

// Checks the result of a conversion before it is written. Adds to the findings of a plan, which has none yet, what
// keeps its result from being of use, and counts it as its obstacles: parts of the source that are missing, or a
// configuration that contradicts the tensors. Then follow the other errors that validate() would find in the keys and
// tensors of the result, such as keys that a folder without a complete configuration does not state.
void addObstacles(ConversionPlan& plan, const Model& source);

} // namespace gufo::convert
