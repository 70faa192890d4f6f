// Recipes in the forms that other quantisers read: the file of llama-quantize's option --tensor-type-file, and the
// argument of --custom-q of ik_llama.cpp's llama-quantize.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "quantize/recipe_file.h"

#include <optional>
#include <string>

namespace gufo {

// Lines of REGEX=type. Nothing if a pattern has characters that the form cannot express: white space or "=".
[[nodiscard]] std::optional<std::string> asTensorTypeFile(const RecipeFile& recipe);
// REGEX=type,REGEX=type … Nothing if a pattern has white space, "=" or a comma.
[[nodiscard]] std::optional<std::string> asCustomQ(const RecipeFile& recipe);

} // namespace gufo
