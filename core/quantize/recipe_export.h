// Recipes in the words of other quantisers. Their patterns are ECMAScript regular expressions that are searched in names
// of tensors, and the first that matches counts, as here.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "quantize/recipe_file.h"

#include <string>

namespace gufo {

// For llama-quantize --tensor-type-file: "PATTERN=type", one per line. The rest is a last pattern that matches all.
[[nodiscard]] std::string tensorTypeFileText(const RecipeFile& recipe);
// For ik_llama.cpp's llama-quantize --custom-q: the same, separated by commas in one line. Commas cannot stand in such a
// pattern, so a repetition of the form {1,2} has to be written otherwise by the user: such patterns are counted.
struct CustomQ {
    std::string text;
    std::size_t unsayable = 0; // patterns with a comma, which are left out
};
[[nodiscard]] CustomQ customQText(const RecipeFile& recipe);

} // namespace gufo
