// From a plan to a file: the recipe of a plan, the size of the file that a recipe makes, and the plan whose whole file,
// with its header and the recipe in it, has a given size.
//
// Threads: any; planQuantization() reads importance matrices, so not the UI thread.
#pragma once

#include "quantize/quantize_model.h"
#include "quantize/recipe_file.h"
#include "quantize/size_plan.h"

#include <QString>

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gufo {

// A line of a recipe whose pattern is not a regular expression.
struct BadPattern {
    std::size_t line = 0;
    std::string pattern;
    QString reason; // of QRegularExpression
};
// Appends the lines of a recipe to the overrides of a request, and sets its rest.
[[nodiscard]] std::expected<void, BadPattern> addRecipe(const RecipeFile& recipe, RecipeRequest& request);

using RecipeHeader = std::vector<std::pair<std::string, std::string>>;

// A recipe with these types, one for each row of CostTable::tensors: a line for each role and type. The most frequent
// type becomes the type of the rest, if no other tensors are left to which it would apply.
[[nodiscard]] RecipeFile recipeOfTypes(const Model& model, const CostTable& costs, std::span<const std::uint32_t> types,
                                       RecipeHeader header);

// A recipe with the types that tensors of the same names have in another file. Tensors that it does not have, or has in
// a type that cannot be written here, keep their types; `unlike` counts them.
[[nodiscard]] RecipeFile recipeLike(const Model& model, const CostTable& costs, const Model& other,
                                    std::size_t& unlike);

// The file that a recipe makes of a model, and its expected loss.
struct RecipeOutcome {
    RecipeFile recipe;
    QuantizeRequest request;
    QuantizePlan file;
    double nats = 0;
    std::size_t unknown = 0; // tensors whose loss in their type is not in the table; `nats` leaves them out
};
// The recipe must have been read by addRecipe() without fault. `request` has what else is asked for, such as an
// importance matrix. Errors: the errors of planQuantization().
[[nodiscard]] Result<RecipeOutcome> outcomeOf(const Model& model, const CostTable& costs, RecipeFile recipe,
                                              QuantizeRequest request, const JobContext& job);

// What running the model takes beside its weights. Nothing if it cannot be estimated.
[[nodiscard]] std::optional<std::uint64_t> memoryBesideWeights(const std::shared_ptr<const Model>& model,
                                                               std::uint64_t context);

struct PlanTarget { // exactly one of them
    std::optional<std::uint64_t> fileBytes{};
    std::optional<std::uint64_t> tensorBytes{};
    std::optional<double> nats{};
};
// Errors: the errors of planForSize(), planForLoss() and planQuantization(). TargetTooSmall counts the header of the
// file.
[[nodiscard]] Result<RecipeOutcome> planFile(const Model& model, const CostTable& costs, const PlanTarget& target,
                                             const PlanRules& rules, const RecipeHeader& header,
                                             const QuantizeRequest& request, const JobContext& job);

} // namespace gufo
