#include "quantize/recipe.h"

#include <array>

namespace gufo {
namespace {

using enum TensorType;
using Part = RecipePart;
using Blocks = RecipeBlocks;
using Models = RecipeModels;

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

constexpr std::span<const RecipeRule> kNone;

constexpr auto kRecipes = std::to_array<Recipe>({
    {"F32", F32, kNone, false},         {"BF16", BF16, kNone, false},     {"F16", F16, kNone, false},
    {"Q8_0", Q8_0, kNone, false},       {"Q6_K", Q6_K, kNone, false},     {"Q5_1", Q5_1, kNone, false},
    {"Q5_K_M", Q5_K, kQ5_K_M, false},   {"Q5_K_S", Q5_K, kNone, false},   {"Q5_0", Q5_0, kQ5_0, false},
    {"Q4_1", Q4_1, kNone, false},       {"Q4_K_M", Q4_K, kQ4_K_M, true},  {"Q4_K_S", Q4_K, kQ4_K_S, true},
    {"IQ4_NL", IQ4_NL, kIq4, true},     {"Q4_0", Q4_0, kQ4_0, false},     {"IQ4_XS", IQ4_XS, kIq4, true},
    {"MXFP4_MOE", MXFP4, kNone, false}, {"Q3_K_L", Q3_K, kQ3_K_L, false}, {"Q3_K_M", Q3_K, kQ3_K_M, true},
    {"Q3_K_S", Q3_K, kNone, true},      {"Q2_K", Q2_K, kQ2_K, true},      {"Q2_K_S", Q2_K, kQ2_K_S, false},
});

} // namespace

std::span<const Recipe> recipes() { return kRecipes; }

} // namespace gufo
