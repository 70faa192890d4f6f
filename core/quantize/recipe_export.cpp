#include "quantize/recipe_export.h"

#include "tensor/tensor_type.h"

#include <cctype>
#include <vector>

namespace gufo {
namespace {

// Both quantisers write types in lower case.
std::string lowerNameOf(std::uint32_t typeId) {
    const TensorTypeInfo* const type = findTensorType(typeId);
    std::string name(type != nullptr ? type->name : std::string_view());
    for (char& c : name) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
}

std::vector<std::string> linesOf(const RecipeFile& recipe) {
    std::vector<std::string> lines;
    for (const RecipeFile::Rule& rule : recipe.rules) {
        lines.push_back(rule.pattern + "=" + lowerNameOf(rule.typeId));
    }
    if (recipe.rest) {
        lines.push_back(".*=" + lowerNameOf(*recipe.rest));
    }
    return lines;
}

} // namespace

std::string tensorTypeFileText(const RecipeFile& recipe) {
    std::string text;
    for (const std::string& line : linesOf(recipe)) {
        text += line + "\n";
    }
    return text;
}

CustomQ customQText(const RecipeFile& recipe) {
    CustomQ custom;
    for (const std::string& line : linesOf(recipe)) {
        if (line.find(',') != std::string::npos) {
            ++custom.unsayable;
            continue;
        }
        custom.text += (custom.text.empty() ? "" : ",") + line;
    }
    return custom;
}

} // namespace gufo
