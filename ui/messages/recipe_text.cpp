#include "ui/messages/recipe_text.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

struct RecipeWords {
    std::string_view name;
    const char* text;
};
// One row for each recipe of quantize/recipe_table.cpp.
constexpr auto kRecipeWords = std::to_array<RecipeWords>({
    {"F32", QT_TRANSLATE_NOOP("Recipes", "32-bit floats: no loss, but no reduction in size either")},
    {"BF16", QT_TRANSLATE_NOOP("Recipes", "16-bit floats with the range of F32")},
    {"F16", QT_TRANSLATE_NOOP("Recipes", "16-bit floats")},
    {"Q8_0", QT_TRANSLATE_NOOP("Recipes", "8.5 bits per weight; practically indistinguishable from the original")},
    {"IQ6_K", QT_TRANSLATE_NOOP("Recipes", "6.6 bits per weight on non-uniform levels; for ik_llama.cpp")},
    {"Q6_K", QT_TRANSLATE_NOOP("Recipes", "6.6 bits per weight; very close to the original")},
    {"Q5_1", QT_TRANSLATE_NOOP("Recipes", "6 bits per weight; older, Q5_K_M is better")},
    {"Q5_K_M", QT_TRANSLATE_NOOP("Recipes", "5.5 bits per weight, more for sensitive tensors")},
    {"Q5_K_S", QT_TRANSLATE_NOOP("Recipes", "5.5 bits per weight")},
    {"IQ5_K", QT_TRANSLATE_NOOP("Recipes", "5.5 bits per weight on non-uniform levels; for ik_llama.cpp")},
    {"Q5_0", QT_TRANSLATE_NOOP("Recipes", "5.5 bits per weight; older, Q5_K_S is better")},
    {"IQ5_KS", QT_TRANSLATE_NOOP("Recipes", "5.25 bits per weight on non-uniform levels; for ik_llama.cpp")},
    {"Q4_1", QT_TRANSLATE_NOOP("Recipes", "5 bits per weight; older, Q4_K_M is better")},
    {"Q4_K_M", QT_TRANSLATE_NOOP("Recipes", "4.5 bits per weight, more for sensitive tensors; the usual choice")},
    {"Q4_K_S", QT_TRANSLATE_NOOP("Recipes", "4.5 bits per weight")},
    {"IQ4_K", QT_TRANSLATE_NOOP("Recipes", "4.5 bits per weight on two sets of non-uniform levels; for ik_llama.cpp")},
    {"IQ4_NL", QT_TRANSLATE_NOOP("Recipes", "4.5 bits per weight on non-uniform levels")},
    {"Q4_0", QT_TRANSLATE_NOOP("Recipes", "4.5 bits per weight; older, fast on many processors")},
    {"IQ4_XS", QT_TRANSLATE_NOOP("Recipes", "4.25 bits per weight on non-uniform levels")},
    {"IQ4_KS",
     QT_TRANSLATE_NOOP("Recipes", "4.25 bits per weight on two sets of non-uniform levels; for ik_llama.cpp")},
    {"MXFP4_MOE", QT_TRANSLATE_NOOP("Recipes", "experts in 4.25 bits per weight, the rest in Q8_0")},
    {"IQ4_KSS", QT_TRANSLATE_NOOP("Recipes", "4 bits per weight on two sets of non-uniform levels; for ik_llama.cpp")},
    {"Q3_K_L", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight, many more for sensitive tensors")},
    {"Q3_K_M", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight, more for sensitive tensors")},
    {"Q3_K_S", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight")},
    {"IQ3_M", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight on non-uniform levels, more for sensitive tensors")},
    {"IQ3_S", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight on non-uniform levels")},
    {"IQ3_XS", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight, fewer for insensitive tensors")},
    {"IQ3_KL", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight, many more for sensitive tensors; for ik_llama.cpp")},
    {"IQ3_K", QT_TRANSLATE_NOOP("Recipes", "3.4 bits per weight on two sets of non-uniform levels; for ik_llama.cpp")},
    {"IQ3_KS", QT_TRANSLATE_NOOP("Recipes", "3.2 bits per weight on two sets of non-uniform levels; for ik_llama.cpp")},
    {"IQ3_XXS", QT_TRANSLATE_NOOP("Recipes", "3.1 bits per weight; needs an importance matrix")},
    {"IQ2_KL", QT_TRANSLATE_NOOP("Recipes", "2.7 bits per weight; for ik_llama.cpp, needs an importance matrix")},
    {"Q2_K", QT_TRANSLATE_NOOP("Recipes", "2.6 bits per weight, more for sensitive tensors; high loss")},
    {"Q2_K_S", QT_TRANSLATE_NOOP("Recipes", "2.6 bits per weight; high loss")},
    {"IQ2_M",
     QT_TRANSLATE_NOOP("Recipes", "2.6 bits per weight, more for sensitive tensors; needs an importance matrix")},
    {"IQ2_K", QT_TRANSLATE_NOOP("Recipes", "2.4 bits per weight; for ik_llama.cpp, needs an importance matrix")},
    {"IQ2_S",
     QT_TRANSLATE_NOOP("Recipes", "2.3 bits per weight, more for sensitive tensors; needs an importance matrix")},
    {"IQ2_XS", QT_TRANSLATE_NOOP("Recipes", "2.3 bits per weight; high loss, needs an importance matrix")},
    {"IQ2_KS",
     QT_TRANSLATE_NOOP("Recipes", "2.2 bits per weight; for ik_llama.cpp, high loss, needs an importance matrix")},
    {"IQ2_XXS", QT_TRANSLATE_NOOP("Recipes", "2.1 bits per weight; high loss, needs an importance matrix")},
    {"TQ2_0", QT_TRANSLATE_NOOP("Recipes", "2.1 bits per weight, for models trained with ternary weights")},
    {"IQ1_M", QT_TRANSLATE_NOOP("Recipes", "1.75 bits per weight; very high loss, needs an importance matrix")},
    {"TQ1_0", QT_TRANSLATE_NOOP("Recipes", "1.7 bits per weight, for models trained with ternary weights")},
    {"IQ1_S", QT_TRANSLATE_NOOP("Recipes", "1.6 bits per weight; very high loss, needs an importance matrix")},
});

constexpr std::size_t kNamesShown = 3;

// "a, b, c, …"
QString firstNames(const std::vector<std::string>& names) {
    QStringList shown;
    for (std::size_t i = 0; i < std::min(kNamesShown, names.size()); ++i) {
        shown << displayText(names[i]);
    }
    if (names.size() > kNamesShown) {
        shown << QStringLiteral("…");
    }
    return shown.join(QStringLiteral(", "));
}

QString counted(const char* text, const std::vector<std::string>& names) {
    return QCoreApplication::translate("Recipes", text, nullptr, numerus(names.size())).arg(firstNames(names));
}

} // namespace

QString recipeText(std::string_view name) {
    const auto* row = std::ranges::find(kRecipeWords, name, &RecipeWords::name);
    return row != kRecipeWords.end() ? QCoreApplication::translate("Recipes", row->text) : QString();
}

QStringList typeWarnings(const Model& model, const RecipePlan& plan, const std::vector<TypeOverride>& overrides) {
    QStringList warnings;
    for (const std::size_t idle : plan.idle) {
        warnings << QCoreApplication::translate(
                        "Recipes",
                        "\"%1\" has no effect, because earlier patterns decide about all tensors it matches.")
                        .arg(displayText(overrides[idle].pattern));
    }
    std::vector<std::string> kept;
    for (const TensorIndex tensor : plan.keptByRecipes) {
        kept.emplace_back(model.tensor(tensor).name);
    }
    if (!kept.empty()) {
        warnings << counted(QT_TRANSLATE_N_NOOP("Recipes", "%n tensors that are usually not quantised change their "
                                                           "type (%1). Other programs may be unable to run the file."),
                            kept);
    }
    if (!plan.needImportance.empty()) {
        std::vector<std::string> names;
        for (const TensorIndex tensor : plan.needImportance) {
            names.emplace_back(model.tensor(tensor).name);
        }
        warnings << counted(
            QT_TRANSLATE_N_NOOP("Recipes",
                                "%n tensors get a type of so few bits that the model is likely to be useless "
                                "without an importance matrix with values for them (%1)."),
            names);
    }
    if (!plan.onlyIkLlama.empty()) {
        std::vector<std::string> names;
        for (const TensorIndex tensor : plan.onlyIkLlama) {
            names.emplace_back(model.tensor(tensor).name);
        }
        warnings << counted(QT_TRANSLATE_N_NOOP("Recipes", "%n tensors get a type of ik_llama.cpp, so that only it and "
                                                           "Gufo can run the file (%1)."),
                            names);
    }
    return warnings;
}

QStringList importanceRemarks(const ImportanceUse& use) {
    QStringList remarks;
    if (use.used == 0) {
        remarks << QCoreApplication::translate("Recipes",
                                               "The importance matrix has no effect on any tensor of this file.");
    }
    if (!use.without.empty()) {
        remarks << counted(QT_TRANSLATE_N_NOOP("Recipes", "%n tensors are quantised without importance, because the "
                                                          "importance matrix has no values for them: %1."),
                           use.without);
    }
    if (!use.partly.empty()) {
        remarks << counted(QT_TRANSLATE_N_NOOP("Recipes", "The importance matrix has no values for some experts of "
                                                          "%n tensors: %1."),
                           use.partly);
    }
    if (!use.borrowed.empty()) {
        remarks << counted(QT_TRANSLATE_N_NOOP("Recipes", "The importance matrix is of another conversion; %n tensors "
                                                          "get the values of matrices with the same inputs: %1."),
                           use.borrowed);
    }
    return remarks;
}

} // namespace gufo::ui
