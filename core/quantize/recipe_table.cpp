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
    {"F32", F32, kNone, false, "32-bit floats: nothing is lost, nothing is saved"},
    {"BF16", BF16, kNone, false, "16-bit floats with the range of F32"},
    {"F16", F16, kNone, false, "16-bit floats"},
    {"Q8_0", Q8_0, kNone, false, "8.5 bits per weight; hard to tell from the original"},
    {"Q6_K", Q6_K, kNone, false, "6.6 bits per weight; very close to the original"},
    {"Q5_1", Q5_1, kNone, false, "6 bits per weight; older, Q5_K_M is better"},
    {"Q5_K_M", Q5_K, kQ5_K_M, false, "5.5 bits per weight, more for sensitive tensors"},
    {"Q5_K_S", Q5_K, kNone, false, "5.5 bits per weight"},
    {"Q5_0", Q5_0, kQ5_0, false, "5.5 bits per weight; older, Q5_K_S is better"},
    {"Q4_1", Q4_1, kNone, false, "5 bits per weight; older, Q4_K_M is better"},
    {"Q4_K_M", Q4_K, kQ4_K_M, true, "4.5 bits per weight, more for sensitive tensors; the usual choice"},
    {"Q4_K_S", Q4_K, kQ4_K_S, true, "4.5 bits per weight"},
    {"IQ4_NL", IQ4_NL, kIq4, true, "4.5 bits per weight on uneven levels"},
    {"Q4_0", Q4_0, kQ4_0, false, "4.5 bits per weight; older, fast on many processors"},
    {"IQ4_XS", IQ4_XS, kIq4, true, "4.25 bits per weight on uneven levels"},
    {"MXFP4_MOE", MXFP4, kNone, false, "experts in 4.25 bits per weight, the rest in Q8_0"},
    {"Q3_K_L", Q3_K, kQ3_K_L, false, "3.4 bits per weight, many more for sensitive tensors"},
    {"Q3_K_M", Q3_K, kQ3_K_M, true, "3.4 bits per weight, more for sensitive tensors"},
    {"Q3_K_S", Q3_K, kNone, true, "3.4 bits per weight"},
    {"Q2_K", Q2_K, kQ2_K, true, "2.6 bits per weight, more for sensitive tensors; much is lost"},
    {"Q2_K_S", Q2_K, kQ2_K_S, false, "2.6 bits per weight; much is lost"},
});

} // namespace

std::span<const Recipe> recipes() { return kRecipes; }

} // namespace gufo
