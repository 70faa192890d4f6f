// Which type each tensor gets when a model is quantised: the named mixes that people know ("Q4_K_M"), one row each in
// recipe_table.cpp, with overrides.
//
// The rules are those of llama.cpp's quantiser (llama-quant.cpp, as of August 2026), so that a name means the same
// file: more bits where errors cost most, none taken from what is small.
#pragma once

#include "base/error.h"
#include "model/index.h"
#include "model/model.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gufo {

// What part a tensor plays for a mix.
enum class RecipePart : std::uint8_t {
    Other,
    TokenEmbedding,
    Output, // also a token embedding that serves as output
    AttentionQuery,
    AttentionKey,
    AttentionValue, // also fused with query and key, and the expanding half of key and value
    AttentionOutput,
    FeedForwardGate,
    FeedForwardUp,
    FeedForwardDown, // of experts too
};
[[nodiscard]] RecipePart recipePart(std::string_view tensorName);

// In which blocks a rule holds.
enum class RecipeBlocks : std::uint8_t {
    All,
    MoreBits, // the first and the last eighth, and every third between them
    FirstEighth,
    FirstSixteenth,
    FirstTwo,
    FirstFour,
};

// In which models.
enum class RecipeModels : std::uint8_t {
    All,
    ManyQueries, // four or more query heads share a key and value head
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

struct Recipe {
    std::string_view name;             // as in general.file_type
    TensorType type;                   // of all matrices that no rule takes
    std::span<const RecipeRule> rules; // the first that fits
    bool eightExperts;                 // models of eight experts have their attention outputs in Q5_K
    std::string_view meaning;
};
// Most bits first.
[[nodiscard]] std::span<const Recipe> recipes();
// By name, letter case ignored; "Q4_K", "Q3_K" and "Q5_K" are their M.
[[nodiscard]] const Recipe* findRecipe(std::string_view name);

struct TypeOverride {
    std::function<bool(std::string_view tensorName)> matches;
    std::uint32_t typeId;
};

struct RecipeRequest {
    const Recipe* recipe = nullptr;
    std::vector<TypeOverride> overrides;          // the first that matches; they take any tensor
    std::optional<std::uint32_t> outputType{};    // of the output
    std::optional<std::uint32_t> embeddingType{}; // of the token embedding
    bool hasImatrix = false;
};

enum class TypeReason : std::uint8_t {
    Kept, // no matrix, or too small or too sensitive to gain anything: as it is
    Recipe,
    Override, // asked for
    Fallback, // its rows are no whole blocks of the type it should have
};

struct PlannedTensor {
    TensorIndex tensor{0};
    std::uint32_t typeId = 0; // the new one
    std::uint64_t bytes = 0;
    TypeReason reason = TypeReason::Kept;
};

// One for each tensor, in the model's order. Errors: NotEncodable (an asked-for type); NotDecodable, with the place (an
// override of a tensor whose values cannot be read); NotSupported (a tensor without a size).
[[nodiscard]] Result<std::vector<PlannedTensor>> planRecipe(const Model& model, const RecipeRequest& request);

} // namespace gufo
