// Plans the best file for a size and writes it: the types of all tensors so that the file has a given size, has given
// bits per weight, or fits in a given memory with a context, with the least expected loss. Recipes can be opened,
// saved, and taken from another file.
#pragma once

#include "quantize/plan_file.h"
#include "ui/jobs/latest_job.h"
#include "ui/tools/tool_dialog.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>

namespace gufo::ui {

class FileField;
class ImatrixField;
class TypeMap;

class SizeDialog : public ToolDialog {
    Q_OBJECT

public:
    SizeDialog(std::shared_ptr<const Model> model, QWidget* parent);

    enum class Target { FileSize, BitsPerWeight, Memory };
    static constexpr int kSteps = 200; // of the slider

    void openRecipe(const std::filesystem::path& path);
    void takeFrom(const std::filesystem::path& file); // the types of another model file
    void saveRecipe(const std::filesystem::path& path);
    void write(const std::filesystem::path& path);

    [[nodiscard]] QComboBox* targetField() const { return m_target; }
    [[nodiscard]] QLineEdit* valueField() const { return m_value; }
    [[nodiscard]] QSpinBox* contextField() const { return m_context; }
    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] FileField* textField() const { return m_text; }
    [[nodiscard]] TypeMap& map() const { return *m_map; }
    // What the file would be; null while it is not known.
    [[nodiscard]] const RecipeOutcome* outcome() const { return m_outcome.get(); }
    [[nodiscard]] bool isMeasured() const { return m_measured; } // the costs were measured on this model
    [[nodiscard]] bool isBusy() const {
        return m_costing.isRunning() || m_planning.isRunning() || m_planSoon.isActive() || isWorking();
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
    void measureCosts();
    void takeCosts(const Costs& costs);
    void plan();
    void showPlanned(const Planned& planned);
    void slide(int position);
    void useRecipe(RecipeFile recipe, const QString& from);
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
    QTimer m_planSoon;
    LatestJob m_costing{this};
    LatestJob m_planning{this};

    QComboBox* m_target;
    QLineEdit* m_value;
    QSpinBox* m_context;
    QSlider* m_slider;
    ImatrixField* m_imatrix;
    FileField* m_text;
    TypeMap* m_map;
    QPushButton* m_save;
};

} // namespace gufo::ui
