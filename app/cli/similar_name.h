// Finds the name that a mistyped one was meant to be: of a verb, an option, a key, a tensor.
#pragma once

#include "quantize/recipe.h"

#include <QString>
#include <QStringList>

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace gufo {
class Model;
}

namespace gufo::cli {

// The name that the user probably meant by `typed`: it differs by a few insertions, deletions, replacements and
// exchanges of neighbours, ignoring the case of letters, or it has one component more at its beginning or end
// ("attn_q.weight" for "attn_q"). If there are several such names, the nearest one is returned, and among equally near
// ones the first. Empty if there is no such name, or if `typed` is one of the names.
[[nodiscard]] std::string_view similarName(std::string_view typed, std::span<const std::string_view> names);

[[nodiscard]] std::string_view similarKey(std::string_view typed, const Model& model);
// Also looks among the keys that the model could have.
[[nodiscard]] std::string similarPossibleKey(std::string_view typed, const Model& model);
[[nodiscard]] std::string_view similarTensor(std::string_view typed, const Model& model);

// "Did you mean %1?", to be added to an error; empty if `name` is.
[[nodiscard]] QString didYouMean(std::string_view name);

// Finds a recipe by its name ("q4_k_m"), ignoring letter case. `others` are further words that the option takes. The
// error is a sentence for the user: a type that can only be read is told from a word that is no type.
[[nodiscard]] std::expected<const Recipe*, QString> recipeNamed(const std::string& name, QStringList others = {});

} // namespace gufo::cli
