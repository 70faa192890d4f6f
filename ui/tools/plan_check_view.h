// The size of a plan against its divergence, beside the named mixes and other open files; and a check of the plan on a
// held-out text, whose figures appear in the plot and in a table.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/tools/plan_check.h"
#include "ui/tools/size_plot.h"

#include <QPushButton>
#include <QTableWidget>

namespace gufo::ui {

class ElidedLabel;
class FileField;
class JobBar;

class PlanCheckView : public QWidget {
    Q_OBJECT

public:
    explicit PlanCheckView(std::shared_ptr<const Model> model, QWidget* parent = nullptr);

    void setOthers(std::vector<std::filesystem::path> files) { m_others = std::move(files); }
    // The costs of this model; null: they are not known. Finds the best plans of all sizes, and the mixes.
    void setCosts(std::shared_ptr<const CostTable> costs, const QuantizeRequest& request, const PlanRules& rules);
    void setPlan(std::shared_ptr<const RecipeOutcome> plan); // null: there is none
    void setWritten(const std::filesystem::path& file);      // the plan that was set last, as a file
    void check();

    [[nodiscard]] SizePlot& plot() const { return *m_plot; }
    [[nodiscard]] FileField* textField() const { return m_text; }
    [[nodiscard]] QPushButton* checkButton() const { return m_check; }
    [[nodiscard]] QTableWidget* table() const { return m_table; }
    [[nodiscard]] JobBar& progress() const { return *m_progress; }
    [[nodiscard]] QString verdict() const; // what was measured, and how far off the plan was
    [[nodiscard]] bool isBusy() const { return m_checking.isRunning(); }
    [[nodiscard]] bool isOutlining() const { return m_outlining.isRunning(); }

private:
    struct Outline;
    void showFiles();
    void fillTable();
    void updateState();

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const CostTable> m_costs;
    std::shared_ptr<const RecipeOutcome> m_plan;
    std::filesystem::path m_written;
    std::vector<std::filesystem::path> m_others;
    std::vector<SizedFile> m_mixes;   // expected
    std::vector<SizedFile> m_checked; // of this plan; empty: it was not checked
    QString m_problem;                // of the last check
    LatestJob m_outlining{this};
    LatestJob m_checking{this};
    FileField* m_text;
    QPushButton* m_check;
    JobBar* m_progress;
    ElidedLabel* m_verdict;
    SizePlot* m_plot;
    QTableWidget* m_table;
};

} // namespace gufo::ui
