#include "cli/recipe_name.h"

#include "cli/console.h"
#include "cli/similar_name.h"
#include "model/file_type.h"
#include "tensor/tensor_type.h"
#include "ui/messages/figure_text.h"

namespace gufo::cli {

std::expected<const Recipe*, QString> recipeNamed(const std::string& name, QStringList others) {
    if (const Recipe* recipe = findRecipe(name)) {
        return recipe;
    }
    std::vector<std::string_view> names;
    for (const Recipe& recipe : recipes()) {
        names.push_back(recipe.name);
        others << ui::displayText(recipe.name);
    }
    const bool isRead = findFileType(name) != nullptr || findTensorType(name) != nullptr;
    const QString meant = didYouMean(isRead ? std::string_view() : similarName(name, names));
    const QString problem = isRead
                                ? Cli::tr("models of type %1 can be read, but not written").arg(ui::displayText(name))
                                : Cli::tr("there is no quantisation type \"%1\"").arg(ui::displayText(name));
    return std::unexpected(
        Cli::tr("%1; the types that can be written are %2").arg(problem, others.join(QStringLiteral(", "))) +
        (meant.isEmpty() ? QString() : QStringLiteral(". ") + meant));
}

} // namespace gufo::cli
