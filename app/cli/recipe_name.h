// The types that a verb can write, by the names that they have in the names of files.
#pragma once

#include "quantize/recipe.h"

#include <QStringList>

#include <expected>
#include <string>

namespace gufo::cli {

// Finds a recipe by its name, ignoring letter case. `others` are further words that the option takes. The error is a
// sentence for the user: a type that can only be read is told from a word that is no type.
[[nodiscard]] std::expected<const Recipe*, QString> recipeNamed(const std::string& name, QStringList others = {});

} // namespace gufo::cli
