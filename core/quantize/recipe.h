// Determines the type of each tensor when a model is quantised: the well-known named mixes ("Q4_K_M"), each a row of
// recipe_table.cpp, with overrides.
//
// The rules come from llama.cpp's quantiser (llama-quant.cpp, as of August 2026), so that a name means the same file.
// They spend more bits where errors cost most and leave small tensors alone. Mixes with types of ik_llama.cpp follow
// its quantiser in what depends on the role of a tensor and on shared heads.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/error.h"
#include "model/index.h"
#include "model/model.h"
#include "quantize/type_override.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

// The function of a tensor, as far as recipes distinguish it.
enum class RecipePart : std::uint8_t {
    Other,
    TokenEmbedding,
    Output, // also a tied token embedding
    AttentionQuery,
    AttentionKey,
    AttentionValue, // also fused query, key and value, and the up-projection of latent keys and values
    AttentionOutput,
    FeedForwardGate,
    FeedForwardUp,
    FeedForwardDown, // also of experts
};
[[nodiscard]] RecipePart recipePart(std::string_view tensorName);

// The blocks to which a rule applies.
enum class RecipeBlocks : std::uint8_t {
    All,
    MoreBits, // the first and last eighths, and every third block between them
    FirstEighth,
    MiddleEighths, // all but the first and the last eighth
    FirstSixteenth,
    FirstTwo,
    FirstFour,
};

// The models to which a rule applies.
enum class RecipeModels : std::uint8_t {
    All,
    SeveralQueries,       // two or more query heads share one key and value head
    ManyQueries,          // four or more do
    ManyQueriesOrExperts, // or four or more experts
    EightExperts,
    WithImatrix,
    WithoutImatrix,
    Falcon,
    NotFalcon,
};

struct RecipeRule {
    RecipePart part;
    RecipeBlocks blocks;
    RecipeModels models;
    TensorType type;
};

// What models with eight experts, which have most of the weights, use for attention, where bits cost little.
enum class RecipeAttention : std::uint8_t {
    Q8_0,       // for keys and values
    AlsoOutput, // and Q5_K for attention outputs
    ByRules,    // what the rules say; they also decide about the small values of the largest models
};

struct Recipe {
    std::string_view name;             // the name that general.file_type has
    TensorType type;                   // type of all matrices to which no rule applies
    std::span<const RecipeRule> rules; // the first matching rule applies
    RecipeAttention attention;
};
// Whether all recipes leave the tensor's type as it is: it is not a matrix, or it is a small one in which errors would
// cost much.
[[nodiscard]] bool recipeKeeps(const TensorInfo& tensor);

// All recipes, sorted by descending number of bits.
[[nodiscard]] std::span<const Recipe> recipes();
// Finds a recipe by name, ignoring letter case. "Q3_K", "Q4_K" and "Q5_K" mean their M variants.
[[nodiscard]] const Recipe* findRecipe(std::string_view name);

struct RecipeRequest {
    const Recipe* recipe = nullptr;            // null: `rest` is the type of all tensors to which no override applies
    std::optional<std::uint32_t> rest{};       // nothing: these tensors keep their types
    std::vector<TypeOverride> overrides;       // the first that applies to a tensor decides
    std::optional<std::uint32_t> outputType{}; // type of the output
    std::optional<std::uint32_t> embeddingType{}; // type of the token embedding
    bool hasImatrix = false;
};

enum class TypeReason : std::uint8_t {
    Kept, // keeps its type: not a matrix, or too small or too sensitive to be worth quantising
    Recipe,
    Override, // requested
    Fallback, // its rows are not whole blocks of the intended type
};

struct PlannedTensor {
    TensorIndex tensor{0};
    std::uint32_t typeId = 0; // new type
    std::uint64_t bytes = 0;
    TypeReason reason = TypeReason::Kept;
};

struct RecipePlan {
    std::vector<PlannedTensor> tensors;       // in the model's order
    std::vector<std::size_t> idle{};          // overrides that apply only to tensors for which an earlier one decided
    std::vector<TensorIndex> keptByRecipes{}; // tensors that are changed although recipes keep them
    // Tensors that are changed to a type that needsImportance(), without having any.
    std::vector<TensorIndex> needImportance{};
    std::vector<TensorIndex> onlyIkLlama{}; // tensors that are changed to a type of ik_llama.cpp
};
// Plans the type of each tensor. Errors: NotEncodable (a requested type); InvalidArgument (a requested type that
// applies to no tensor: Detail::OverrideMatchesNothing, OverrideMatchesOnlyKept, NoOutputTensor, NoTokenEmbedding);
// NotDecodable, with the place (an override of a tensor whose values cannot be read); NotSupported (a tensor of unknown
// size).
[[nodiscard]] Result<RecipePlan> planRecipe(const Model& model, const RecipeRequest& request);

} // namespace gufo
