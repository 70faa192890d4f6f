// Describes quantisation recipes, and what should be known about a plan before it is carried out.
#pragma once

#include "quantize/imatrix_coverage.h"
#include "quantize/recipe.h"

#include <QStringList>

#include <string_view>

namespace gufo::ui {

// Describes a recipe by its name (quantize/recipe.h). Empty if it is unknown.
[[nodiscard]] QString recipeText(std::string_view name);

// Warnings about requested types: overrides without effect, and tensors that are changed although recipes keep them.
// Sentences.
[[nodiscard]] QStringList typeWarnings(const Model& model, const RecipePlan& plan,
                                       const std::vector<TypeOverride>& overrides);

// What an importance matrix does not say about the tensors that are quantised. Sentences.
[[nodiscard]] QStringList importanceRemarks(const ImportanceUse& use);

} // namespace gufo::ui
