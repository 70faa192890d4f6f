// Quantise for a Size: recipes that are opened, edited, taken from files, saved, exported and compared.
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "document/open_model.h"
#include "model/tensor_role.h"
#include "quantize/recipe_file.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/tools/size_dialog.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kMaxRecipe = std::uint64_t{4} << 20U;

Result<RecipeFile> readRecipe(const std::filesystem::path& path) {
    const auto file = GUFO_TRY(MappedFile::open(path));
    const std::uint64_t size = std::min(file->size(), kMaxRecipe);
    const auto bytes = GUFO_TRY(file->view({0, size}));
    auto recipe = parseRecipeFile({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return recipe ? std::move(recipe) : std::unexpected(std::move(recipe.error()).in(path));
}

// The types of a model file. InvalidArgument: none of them can be taken over.
Result<RecipeFile> recipeOf(const Model& model, const CostTable& costs, const std::filesystem::path& file,
                            const JobContext& job) {
    const auto other = GUFO_TRY(openModel(file, job));
    std::size_t unlike = 0;
    RecipeFile recipe = recipeLike(model, costs, *other, unlike);
    if (unlike == costs.tensors.size()) {
        return std::unexpected(Error{.code = ErrorCode::InvalidArgument, .file = file, .place = {}, .args = {}});
    }
    return recipe;
}

bool isModelFile(const std::filesystem::path& path) {
    return QString::fromStdString(path.extension().string()).compare(QStringLiteral(".gguf"), Qt::CaseInsensitive) == 0;
}

QString typeNameOf(std::uint32_t typeId) { return QString::fromStdString(TensorInfo{.typeId = typeId}.typeName()); }

} // namespace

QWidget* SizeDialog::buildRecipeView() {
    auto* view = new QWidget(this);
    auto* typeFile = new QPushButton(tr("For llama-quantize…"), view);
    typeFile->setToolTip(tr("Write the types as a file for llama-quantize --tensor-type-file"));
    auto* customQ = new QPushButton(tr("For ik_llama.cpp…"), view);
    customQ->setToolTip(tr("Write the types as the value of --custom-q of ik_llama.cpp's llama-quantize"));
    m_editor->setFont(themeFont(TextStyle::Mono));
    m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_editor->setAccessibleName(tr("Recipe"));
    m_editor->setTabChangesFocus(true);
    m_editor->setMinimumHeight(120);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(themedLabel(tr("The file follows what you change here."), TextStyle::Axis, Token::Muted, view), 1);
    for (QPushButton* button : {typeFile, customQ}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_editor, 1);
    const QStringList texts{tr("Texts (*.txt)"), tr("All files (*)")};
    connect(typeFile, &QPushButton::clicked, this, [this, texts] {
        if (m_outcome != nullptr) {
            chooseFile(tr("Export for llama-quantize"), texts, &SizeDialog::exportTypeFile, true,
                       proposedName(QStringLiteral("-types.txt")));
        }
    });
    connect(customQ, &QPushButton::clicked, this, [this, texts] {
        if (m_outcome != nullptr) {
            chooseFile(tr("Export for ik_llama.cpp"), texts, &SizeDialog::exportCustomQ, true,
                       proposedName(QStringLiteral("-custom-q.txt")));
        }
    });
    return view;
}

QWidget* SizeDialog::buildDifferences() {
    auto* view = new QWidget(this);
    auto* compare = new QPushButton(tr("Compare With…"), view);
    compare->setAutoDefault(false);
    m_differencesText->setAccessibleName(tr("The compared recipe"));
    m_differences->setAccessibleName(tr("Tensors with other types"));
    m_differences->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_differences->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_differences->setTabKeyNavigation(false);
    m_differences->setShowGrid(false);
    m_differences->verticalHeader()->hide();
    m_differences->setMinimumHeight(120);
    m_differences->setColumnCount(4);
    m_differences->setHorizontalHeaderLabels({tr("Role"), tr("Tensors"), tr("This plan"), tr("The other")});
    m_differences->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_differencesText, 1);
    row->addWidget(compare);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_differences, 1);
    connect(compare, &QPushButton::clicked, this, [this] {
        chooseFile(tr("Compare with a recipe or a file"),
                   {tr("Recipes and models (*.txt *.recipe *.gguf)"), tr("All files (*)")}, &SizeDialog::compareWith,
                   false);
    });
    showDifferences();
    return view;
}

void SizeDialog::useRecipe(RecipeFile recipe, const QString& from) {
    m_recipe = std::move(recipe);
    m_from = from;
    plan();
}

void SizeDialog::takeRecipe(Result<RecipeFile> recipe, const QString& from) {
    if (!recipe) {
        showError(recipe.error());
        return;
    }
    RecipeRequest ignored;
    if (const auto added = addRecipe(*recipe, ignored); !added) {
        showNotice(tr("Line %1: \"%2\" is not a regular expression: %3")
                       .arg(formatCount(added.error().line), displayText(added.error().pattern), added.error().reason),
                   Token::ErrorText);
        return;
    }
    useRecipe(std::move(*recipe), from);
}

void SizeDialog::openRecipe(const std::filesystem::path& path) {
    m_planning.start<RecipeFile>(
        [path](const JobContext&) { return readRecipe(path); },
        [this, path](Result<RecipeFile> recipe) { takeRecipe(std::move(recipe), fileNameText(path)); });
}

// Faults leave the plan as it was, but nothing can be written until they are mended or another plan is chosen.
void SizeDialog::takeEdited() {
    m_editSoon.stop();
    if (m_costs == nullptr || isWorking()) {
        return;
    }
    setReady(false);
    takeRecipe(parseRecipeFile(m_editor->toPlainText().toStdString()), tr("Edited recipe"));
}

void SizeDialog::showRecipe() {
    const QString text = QString::fromStdString(recipeFileText(m_outcome->recipe));
    if (m_from != tr("Edited recipe") && text != m_editor->toPlainText()) {
        m_showsRecipe = true;
        m_editor->setPlainText(text);
        m_showsRecipe = false;
    }
}

void SizeDialog::takeFrom(const std::filesystem::path& file) {
    if (m_costs == nullptr) {
        return;
    }
    m_planning.start<RecipeFile>(
        [model = m_model, costs = m_costs, file](const JobContext& job) { return recipeOf(*model, *costs, file, job); },
        [this, file](Result<RecipeFile> recipe) {
            if (recipe) {
                useRecipe(std::move(*recipe), tr("Like %1").arg(fileNameText(file)));
            } else if (recipe.error().code == ErrorCode::InvalidArgument) {
                showNotice(tr("%1 has none of the tensors of this model in a type that can be written.")
                               .arg(fileNameText(file)),
                           Token::ErrorText);
            } else {
                showError(recipe.error());
            }
        });
}

void SizeDialog::writeText(const std::string& text, const std::filesystem::path& path) {
    startJob<void>(
        this, [text, path](const JobContext&) -> Result<> { return writeWholeFile(path, text); },
        [this, path](const Result<>& written) {
            written ? showNotice(tr("Written: %1").arg(displayPath(path)), Token::Good) : showError(written.error());
        });
}

void SizeDialog::saveRecipe(const std::filesystem::path& path) {
    if (m_outcome != nullptr) {
        writeText(recipeFileText(m_outcome->recipe), path);
    }
}

void SizeDialog::exportTypeFile(const std::filesystem::path& path) {
    if (m_outcome != nullptr) {
        writeExport(asTensorTypeFile(m_outcome->recipe), path);
    }
}

void SizeDialog::exportCustomQ(const std::filesystem::path& path) {
    if (m_outcome != nullptr) {
        auto text = asCustomQ(m_outcome->recipe);
        if (text) {
            *text += '\n';
        }
        writeExport(text, path);
    }
}

void SizeDialog::writeExport(const std::optional<std::string>& text, const std::filesystem::path& path) {
    if (text) {
        writeText(*text, path);
    } else {
        showNotice(tr("A pattern has characters that this form cannot express, such as spaces or commas. Nothing was "
                      "written."),
                   Token::ErrorText);
    }
}

void SizeDialog::compareWith(const std::filesystem::path& path) {
    if (m_costs == nullptr) {
        return;
    }
    QuantizeRequest request;
    if (m_outcome != nullptr) {
        request.imatrix = m_outcome->request.imatrix;
    }
    m_comparing.start<RecipeOutcome>(
        [model = m_model, costs = m_costs, request = std::move(request),
         path](const JobContext& job) -> Result<RecipeOutcome> {
            RecipeFile recipe =
                isModelFile(path) ? GUFO_TRY(recipeOf(*model, *costs, path, job)) : GUFO_TRY(readRecipe(path));
            RecipeRequest ignored;
            if (!addRecipe(recipe, ignored)) {
                return std::unexpected(
                    Error{.code = ErrorCode::InvalidArgument, .file = path, .place = {}, .args = {}});
            }
            return outcomeOf(*model, *costs, std::move(recipe), request, job);
        },
        [this, path](Result<RecipeOutcome> other) {
            if (!other) {
                showError(other.error());
                return;
            }
            m_compared = std::make_shared<const RecipeOutcome>(std::move(*other));
            m_comparedName = fileNameText(path);
            showDifferences();
        });
}

void SizeDialog::showDifferences() {
    m_differences->setRowCount(0);
    if (m_compared == nullptr || m_outcome == nullptr || m_costs == nullptr) {
        m_differencesText->setText(tr("Compare the plan with another recipe, or with the types of a file."));
        return;
    }
    std::map<std::tuple<QString, std::uint32_t, std::uint32_t>, int> counts;
    int differing = 0;
    for (const TensorCosts& costs : m_costs->tensors) {
        const std::uint32_t own = m_outcome->file.tensors()[costs.tensor.value].typeId;
        const std::uint32_t other = m_compared->file.tensors()[costs.tensor.value].typeId;
        if (own != other) {
            const std::string_view name = m_model->tensor(costs.tensor).name;
            ++counts[{displayText(parseTensorName(name).role), own, other}];
            ++differing;
        }
    }
    for (const auto& [what, count] : counts) {
        const int row = m_differences->rowCount();
        m_differences->insertRow(row);
        const auto& [role, own, other] = what;
        const QStringList cells{role, QString::number(count), typeNameOf(own), typeNameOf(other)};
        for (int column = 0; column < cells.size(); ++column) {
            m_differences->setItem(row, column, new QTableWidgetItem(cells[column]));
        }
    }
    m_differencesText->setText(
        tr("%1: %2, expected KL divergence: %3 nats; %n tensors have other types.", nullptr, differing)
            .arg(m_comparedName, formatBytes(m_compared->file.fileBytes), formatReal(m_compared->nats, 3)));
}

} // namespace gufo::ui
