#include "quantize/recipe_export.h"

#include "tensor/tensor_type.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gufo {
namespace {

constexpr std::string_view kAny = ".*"; // both programs search with regular expressions; the first match counts

std::string lowerName(std::uint32_t typeId) {
    std::string name(findTensorType(typeId)->name);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return name;
}

std::optional<std::string> joined(const RecipeFile& recipe, std::string_view between, std::string_view unusable) {
    std::string text;
    const auto add = [&](std::string_view pattern, std::uint32_t typeId) {
        text.append(text.empty() ? std::string_view() : between).append(pattern).append("=").append(lowerName(typeId));
    };
    for (const RecipeFile::Rule& rule : recipe.rules) {
        if (rule.pattern.find_first_of(unusable) != std::string::npos) {
            return {};
        }
        add(rule.pattern, rule.typeId);
    }
    if (recipe.rest) {
        add(kAny, *recipe.rest);
    }
    return text;
}

} // namespace

std::optional<std::string> asTensorTypeFile(const RecipeFile& recipe) {
    auto text = joined(recipe, "\n", " \t\r\n=");
    return text ? std::optional(*text + '\n') : std::nullopt;
}

std::optional<std::string> asCustomQ(const RecipeFile& recipe) { return joined(recipe, ",", " \t\r\n=,"); }

} // namespace gufo
