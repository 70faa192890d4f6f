// Reads arbitrary bytes as a recipe file. What is read can be written, and is read again the same.
#include "quantize/recipe_file.h"
#include "require.h"
#include "tensor/encode.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gufo;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    auto recipe = parseRecipeFile(text);
    if (!recipe) {
        require(recipe.error().code == ErrorCode::BadSyntax && recipe.error().args.size() == 3);
        return 0;
    }
    require(recipe->rules.size() + recipe->header.size() <= lines);
    for (const RecipeFile::Rule& rule : recipe->rules) {
        require(!rule.pattern.empty() && isEncodable(rule.typeId) && rule.line >= 1 && rule.line <= lines);
    }
    auto again = parseRecipeFile(recipeFileText(*recipe));
    require(again.has_value());
    for (RecipeFile* each : {&*recipe, &*again}) {
        std::ranges::for_each(each->rules, [](RecipeFile::Rule& rule) { rule.line = 0; });
    }
    require(*recipe == *again);
    return 0;
}
