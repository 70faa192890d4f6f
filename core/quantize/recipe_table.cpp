#include "quantize/recipe.h"

#include <array>

namespace gufo {
namespace {

using enum TensorType;
using Part = RecipePart;
using Blocks = RecipeBlocks;
using Models = RecipeModels;
using Attention = RecipeAttention;

constexpr auto kQ5_K_M = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::MoreBits, Models::All, Q6_K},
    {Part::FeedForwardDown, Blocks::MoreBits, Models::All, Q6_K},
});
constexpr auto kQ5_0 = std::to_array<RecipeRule>({
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::WithImatrix, Q5_1},
});
constexpr auto kQ4_K_M = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::MoreBits, Models::All, Q6_K},
    {Part::FeedForwardDown, Blocks::MoreBits, Models::NotFalcon, Q6_K},
    {Part::FeedForwardDown, Blocks::FirstSixteenth, Models::Falcon, Q6_K},
    {Part::FeedForwardDown, Blocks::MoreBits, Models::Falcon, Q5_K},
});
constexpr auto kQ4_K_S = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::FirstFour, Models::All, Q5_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::NotFalcon, Q5_K},
});
constexpr auto kQ4_0 = std::to_array<RecipeRule>({
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::WithImatrix, Q4_1},
});
constexpr auto kIq4 = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, Q5_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::WithoutImatrix, Q5_K},
});
constexpr auto kQ3_K_L = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::All, Q5_K},
    {Part::FeedForwardDown, Blocks::All, Models::NotFalcon, Q5_K},
    {Part::FeedForwardDown, Blocks::All, Models::Falcon, Q4_K},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, Q5_K},
    {Part::AttentionOutput, Blocks::All, Models::Falcon, Q4_K},
});
constexpr auto kQ3_K_M = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::FirstTwo, Models::All, Q5_K},
    {Part::AttentionValue, Blocks::All, Models::All, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstSixteenth, Models::All, Q5_K},
    {Part::FeedForwardDown, Blocks::All, Models::NotFalcon, Q4_K},
    {Part::FeedForwardDown, Blocks::MoreBits, Models::Falcon, Q4_K},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, Q4_K},
});
constexpr auto kQ2_K = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, Q4_K},
    {Part::AttentionValue, Blocks::All, Models::All, Q3_K},
    {Part::FeedForwardDown, Blocks::All, Models::All, Q3_K},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, Q3_K},
});
constexpr auto kQ2_K_S = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::All, Q4_K},
});

constexpr auto kIq3_M = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::All, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::All, Q4_K},
    {Part::FeedForwardDown, Blocks::MoreBits, Models::EightExperts, Q4_K},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, Q4_K},
});
constexpr auto kIq3_S = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, Q4_K},
});
constexpr auto kIq3_XS = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, Q4_K},
    {Part::AttentionKey, Blocks::All, Models::All, IQ3_XXS},
    {Part::AttentionQuery, Blocks::All, Models::All, IQ3_XXS},
    {Part::FeedForwardGate, Blocks::MiddleEighths, Models::All, IQ3_XXS},
    {Part::FeedForwardUp, Blocks::MiddleEighths, Models::All, IQ3_XXS},
});
constexpr auto kIq3_XXS = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::TokenEmbedding, Blocks::All, Models::All, IQ3_S},
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, Q4_K},
    {Part::AttentionValue, Blocks::All, Models::WithoutImatrix, IQ3_S},
    {Part::AttentionKey, Blocks::All, Models::All, IQ2_S},
    {Part::AttentionQuery, Blocks::All, Models::All, IQ2_S},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::WithoutImatrix, Q4_K},
    {Part::FeedForwardDown, Blocks::All, Models::WithoutImatrix, Q3_K},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, IQ3_S},
});
// IQ2_M and IQ2_S.
constexpr auto kIq2 = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::TokenEmbedding, Blocks::All, Models::All, IQ3_S},
    {Part::AttentionValue, Blocks::All, Models::ManyQueriesOrExperts, Q4_K},
    {Part::AttentionValue, Blocks::All, Models::All, IQ3_S},
    {Part::AttentionKey, Blocks::All, Models::EightExperts, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::All, IQ3_S},
    {Part::AttentionOutput, Blocks::All, Models::EightExperts, Q5_K},
    {Part::AttentionOutput, Blocks::All, Models::All, IQ3_S},
});
// IQ2_XS and IQ2_XXS.
constexpr auto kIq2Small = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::TokenEmbedding, Blocks::All, Models::All, Q2_K},
    {Part::AttentionValue, Blocks::All, Models::ManyQueriesOrExperts, Q4_K},
    {Part::AttentionValue, Blocks::All, Models::All, Q2_K},
    {Part::AttentionKey, Blocks::All, Models::EightExperts, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::All, Q2_K},
    {Part::AttentionOutput, Blocks::All, Models::EightExperts, Q5_K},
});
constexpr auto kIq1 = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::TokenEmbedding, Blocks::All, Models::All, Q2_K},
    {Part::AttentionValue, Blocks::All, Models::ManyQueriesOrExperts, Q4_K},
    {Part::AttentionValue, Blocks::All, Models::All, Q2_K},
    {Part::AttentionKey, Blocks::All, Models::EightExperts, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::All, Q2_K},
    {Part::AttentionOutput, Blocks::All, Models::EightExperts, Q5_K},
    {Part::AttentionOutput, Blocks::All, Models::All, IQ2_XXS},
});
constexpr auto kTernary = std::to_array<RecipeRule>({
    {Part::TokenEmbedding, Blocks::All, Models::All, Q4_K},
});

// Mixes of ik_llama.cpp.
constexpr auto kIk6 = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, IQ6_K},
});
constexpr auto kIk5 = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::ManyQueries, IQ6_K},
});
constexpr auto kIk4 = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ5_K},
});
// IQ4_KS and IQ4_KSS.
constexpr auto kIk4Small = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ5_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::WithoutImatrix, Q5_K},
});
constexpr auto kIk3_KL = std::to_array<RecipeRule>({
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ5_K},
    {Part::AttentionValue, Blocks::All, Models::All, IQ4_K},
    {Part::FeedForwardDown, Blocks::MoreBits, Models::All, IQ4_KS},
    {Part::FeedForwardGate, Blocks::MoreBits, Models::All, IQ4_KS},
    {Part::FeedForwardUp, Blocks::MoreBits, Models::All, IQ4_KS},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, IQ4_KS},
});
constexpr auto kIk3_K = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ4_K},
});
// IQ3_KS and IQ2_KL.
constexpr auto kIk3Small = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ4_KS},
});
constexpr auto kIk2_K = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ4_K},
    {Part::AttentionValue, Blocks::All, Models::All, IQ3_K},
    {Part::AttentionOutput, Blocks::All, Models::NotFalcon, IQ3_K},
});
constexpr auto kIk2_KS = std::to_array<RecipeRule>({
    {Part::Output, Blocks::All, Models::All, Q5_K},
    {Part::AttentionValue, Blocks::All, Models::ManyQueriesOrExperts, IQ4_K},
    {Part::AttentionValue, Blocks::All, Models::SeveralQueries, IQ3_K},
    {Part::AttentionValue, Blocks::All, Models::All, Q2_K},
    {Part::AttentionKey, Blocks::All, Models::EightExperts, Q4_K},
    {Part::AttentionQuery, Blocks::All, Models::EightExperts, Q4_K},
    {Part::FeedForwardDown, Blocks::FirstEighth, Models::All, Q2_K},
    {Part::AttentionOutput, Blocks::All, Models::EightExperts, Q5_K},
});

constexpr std::span<const RecipeRule> kNone;

constexpr auto kRecipes = std::to_array<Recipe>({
    {"F32", F32, kNone, Attention::Q8_0},
    {"BF16", BF16, kNone, Attention::Q8_0},
    {"F16", F16, kNone, Attention::Q8_0},
    {"Q8_0", Q8_0, kNone, Attention::Q8_0},
    {"IQ6_K", IQ6_K, kIk6, Attention::Q8_0},
    {"Q6_K", Q6_K, kNone, Attention::Q8_0},
    {"Q5_1", Q5_1, kNone, Attention::Q8_0},
    {"Q5_K_M", Q5_K, kQ5_K_M, Attention::Q8_0},
    {"Q5_K_S", Q5_K, kNone, Attention::Q8_0},
    {"IQ5_K", IQ5_K, kIk5, Attention::Q8_0},
    {"Q5_0", Q5_0, kQ5_0, Attention::Q8_0},
    {"IQ5_KS", IQ5_KS, kIk5, Attention::AlsoOutput},
    {"Q4_1", Q4_1, kNone, Attention::Q8_0},
    {"Q4_K_M", Q4_K, kQ4_K_M, Attention::AlsoOutput},
    {"Q4_K_S", Q4_K, kQ4_K_S, Attention::AlsoOutput},
    {"IQ4_K", IQ4_K, kIk4, Attention::AlsoOutput},
    {"IQ4_NL", IQ4_NL, kIq4, Attention::AlsoOutput},
    {"Q4_0", Q4_0, kQ4_0, Attention::Q8_0},
    {"IQ4_XS", IQ4_XS, kIq4, Attention::AlsoOutput},
    {"IQ4_KS", IQ4_KS, kIk4Small, Attention::AlsoOutput},
    {"MXFP4_MOE", MXFP4, kNone, Attention::Q8_0},
    {"IQ4_KSS", IQ4_KSS, kIk4Small, Attention::AlsoOutput},
    {"Q3_K_L", Q3_K, kQ3_K_L, Attention::Q8_0},
    {"Q3_K_M", Q3_K, kQ3_K_M, Attention::AlsoOutput},
    {"Q3_K_S", Q3_K, kNone, Attention::AlsoOutput},
    {"IQ3_M", IQ3_S, kIq3_M, Attention::AlsoOutput},
    {"IQ3_S", IQ3_S, kIq3_S, Attention::AlsoOutput},
    {"IQ3_XS", IQ3_S, kIq3_XS, Attention::AlsoOutput},
    {"IQ3_KL", IQ3_K, kIk3_KL, Attention::AlsoOutput},
    {"IQ3_K", IQ3_K, kIk3_K, Attention::AlsoOutput},
    {"IQ3_KS", IQ3_KS, kIk3Small, Attention::AlsoOutput},
    {"IQ3_XXS", IQ3_XXS, kIq3_XXS, Attention::AlsoOutput},
    {"IQ2_KL", IQ2_KL, kIk3Small, Attention::AlsoOutput},
    {"Q2_K", Q2_K, kQ2_K, Attention::AlsoOutput},
    {"Q2_K_S", Q2_K, kQ2_K_S, Attention::Q8_0},
    {"IQ2_M", IQ2_S, kIq2, Attention::ByRules},
    {"IQ2_K", IQ2_K, kIk2_K, Attention::AlsoOutput},
    {"IQ2_S", IQ2_XS, kIq2, Attention::ByRules},
    {"IQ2_XS", IQ2_XS, kIq2Small, Attention::ByRules},
    {"IQ2_KS", IQ2_KS, kIk2_KS, Attention::ByRules},
    {"IQ2_XXS", IQ2_XXS, kIq2Small, Attention::ByRules},
    {"TQ2_0", TQ2_0, kTernary, Attention::Q8_0},
    {"IQ1_M", IQ1_M, kIq1, Attention::ByRules},
    {"TQ1_0", TQ1_0, kTernary, Attention::Q8_0},
    {"IQ1_S", IQ1_S, kIq1, Attention::ByRules},
});

} // namespace

std::span<const Recipe> recipes() { return kRecipes; }

} // namespace gufo
