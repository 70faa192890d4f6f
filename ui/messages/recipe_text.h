// Describes quantisation recipes.
#pragma once

#include <QString>

#include <string_view>

namespace gufo::ui {

// Describes a recipe by its name (quantize/recipe.h). Empty if it is unknown.
[[nodiscard]] QString recipeText(std::string_view name);

} // namespace gufo::ui
