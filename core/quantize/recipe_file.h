// Recipes as text files that people read, edit and pass on: the type of each tensor by regular expressions.
//
//     # model: Llama-3.2-1B
//     # target: 800 MB
//     ^output\.weight$ = Q6_K
//     ^blk\.\d+\.attn_v\.weight$ = Q5_K   # worth its bits
//     * = Q4_K
//
// Each line is REGEX = TYPE, divided at its last "="; the first that matches a tensor counts. A last line with "*"
// stands for all other matrices, which otherwise keep their types. "#" at the beginning of a line or after a space
// begins a comment; comments of the form "key: value" before the first line are the header. Tensors that recipes keep
// (norms and the like) need their full name, as in TypeOverride.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo {

struct RecipeFile {
    struct Rule {
        std::string pattern;
        std::uint32_t typeId = 0;
        std::size_t line = 0; // from 1; where it was read
        bool operator==(const Rule&) const = default;
    };
    std::vector<std::pair<std::string, std::string>> header{}; // keys and values
    std::vector<Rule> rules{};
    std::optional<std::uint32_t> rest{};
    bool operator==(const RecipeFile&) const = default;
};

// Regular expressions are not examined. Errors: BadSyntax (args: a Detail, line, column) for a line without "=", an
// empty pattern, a type that cannot be written, text that is not UTF-8, and "*" before the last line.
[[nodiscard]] Result<RecipeFile> parseRecipeFile(std::string_view text);
// The text of a recipe, which parseRecipeFile() reads again. Line breaks in the header become spaces.
[[nodiscard]] std::string recipeFileText(const RecipeFile& recipe);

// Recipes in the forms that other quantisers read: the file of llama-quantize's option --tensor-type-file, and the
// argument of --custom-q of ik_llama.cpp's llama-quantize.
//
// Lines of REGEX=type. Nothing if a pattern has characters that the form cannot express: white space or "=".
[[nodiscard]] std::optional<std::string> asTensorTypeFile(const RecipeFile& recipe);
// REGEX=type,REGEX=type … Nothing if a pattern has white space, "=" or a comma.
[[nodiscard]] std::optional<std::string> asCustomQ(const RecipeFile& recipe);

} // namespace gufo
