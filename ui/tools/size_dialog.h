// Plans the best file for a size and writes it: the types of all tensors so that the file has a given size, has given
// bits per weight, or fits in a given memory with a context, with the least expected loss; or the smallest file with a
// given loss. Recipes can be opened, edited, saved, exported, compared, and taken from another file, and plans checked
// on a text.
#pragma once

#include "quantize/plan_file.h"
#include "ui/jobs/latest_job.h"
#include "ui/tools/tool_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTimer>

namespace gufo::ui {

class ElidedLabel;
class FileField;
class ImatrixField;
class PlanCheckView;
class SegmentedControl;
class TypeMap;

class SizeDialog : public ToolDialog {
    Q_OBJECT

public:
    // `open` are the models that are open beside this one; those with the same tensors take part in checks.
    SizeDialog(std::shared_ptr<const Model> model, const std::vector<std::filesystem::path>& open, QWidget* parent);

    enum class Target { FileSize, BitsPerWeight, Memory, Divergence };
    enum class View { Types, Recipe, Sizes, Differences };
    static constexpr int kSteps = 200; // of the slider

    void openRecipe(const std::filesystem::path& path);
    void takeFrom(const std::filesystem::path& file); // the types of another model file
    void saveRecipe(const std::filesystem::path& path);
    void compareWith(const std::filesystem::path& path);    // a recipe, or a model file with such types
    void exportTypeFile(const std::filesystem::path& path); // for llama-quantize
    void exportCustomQ(const std::filesystem::path& path);  // for ik_llama.cpp
    void write(const std::filesystem::path& path);

    [[nodiscard]] QSpinBox* contextField() const { return m_context; }
    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] FileField* textField() const { return m_text; }
    [[nodiscard]] TypeMap& map() const { return *m_map; }
    [[nodiscard]] SegmentedControl* viewChoice() const { return m_view; }     // by View
    [[nodiscard]] QPlainTextEdit* editor() const { return m_editor; }         // of the recipe
    [[nodiscard]] QTableWidget* differences() const { return m_differences; } // from the compared recipe
    // What the file would be; null while it is not known.
    [[nodiscard]] const RecipeOutcome* outcome() const { return m_outcome.get(); }
    [[nodiscard]] bool isMeasured() const { return m_measured; } // the costs were measured on this model
    [[nodiscard]] bool isBusy() const {
        return m_costing.isRunning() || m_timing.isRunning() || m_planning.isRunning() || m_planSoon.isActive() ||
               m_editSoon.isActive() || isWorking();
    }

protected:
    void start() override; // asks for a name
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Costs;
    struct Planned;
    struct Wanted;
    QWidget* buildTarget();
    QWidget* buildRecipeRow();
    QWidget* buildViewRow();
    QWidget* buildViews();
    QWidget* buildTypes();
    void preferSpeed();
    [[nodiscard]] QString vetoText() const; // what stands in the way of smaller files
    QWidget* buildRecipeView();
    QWidget* buildDifferences();
    void showView();
    void measureCosts();
    void takeCosts(const Costs& costs);
    void plan();
    void showPlanned(const Planned& planned);
    void slide(int position);
    void useRecipe(RecipeFile recipe, const QString& from);
    void takeRecipe(Result<RecipeFile> recipe, const QString& from); // what was read, if it has no faults
    void takeEdited();
    void showRecipe(); // in the editor, unless it is from there
    [[nodiscard]] static QStringList recipeFilters();
    void writeText(const std::string& text, const std::filesystem::path& path);
    void writeExport(const std::optional<std::string>& text, const std::filesystem::path& path);
    void showDifferences();
    [[nodiscard]] PlanRules rules() const {
        return {.joined = m_joined->isChecked(), .speed = m_speed->currentData().toDouble(), .seconds = m_seconds};
    }
    [[nodiscard]] Runtime runtime() const { return static_cast<Runtime>(m_runtime->currentData().toInt()); }
    void planChosen(); // by the target, no longer by a recipe
    [[nodiscard]] std::optional<Wanted> wanted();
    [[nodiscard]] std::uint64_t bytesAt(int position) const;
    [[nodiscard]] int positionOf(std::uint64_t bytes) const;
    [[nodiscard]] QString proposedName(const QString& suffix) const;
    void chooseFile(const QString& title, const QStringList& filters,
                    void (SizeDialog::*then)(const std::filesystem::path&), bool save, const QString& name = {});

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const CostTable> m_costs; // null until measured
    bool m_measured = false;
    std::uint64_t m_least = 0; // bytes of all tensors in the smallest and in the largest plan
    std::uint64_t m_most = 0;
    std::optional<RecipeFile> m_recipe; // that was opened or taken; nothing: the target decides
    QString m_from;                     // where it is from
    std::shared_ptr<const RecipeOutcome> m_outcome;
    std::shared_ptr<const RecipeOutcome> m_compared; // another recipe; null: none was compared
    QString m_comparedName;
    double m_bandwidth = 0;     // bytes per second that this machine reads; 0: not known, or the caches hold the model
    bool m_showsRecipe = false; // the editor is being filled
    QTimer m_planSoon;
    QTimer m_editSoon;
    LatestJob m_comparing{this};
    LatestJob m_timing{this};
    TypeSeconds m_seconds; // of this machine; empty until speed was preferred
    LatestJob m_costing{this};
    LatestJob m_planning{this};

    QComboBox* m_target;
    QLineEdit* m_value;
    QSpinBox* m_context;
    QSlider* m_slider;
    ImatrixField* m_imatrix;
    FileField* m_text;
    QCheckBox* m_joined;
    QComboBox* m_runtime;
    QComboBox* m_speed;
    SegmentedControl* m_view;
    QWidget* m_typesView = nullptr;
    TypeMap* m_map;
    QWidget* m_recipeView = nullptr;
    QPlainTextEdit* m_editor;
    PlanCheckView* m_check;
    QWidget* m_differencesView = nullptr;
    ElidedLabel* m_differencesText;
    QTableWidget* m_differences;
    QPushButton* m_save;
};

} // namespace gufo::ui
