// The part of the overview that shows a LoRA adapter: its ranks and alpha and, beside a base model that the user
// chooses among the open models or as a file, which matrices fit and how strongly each layer changes.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/overview/adapter_model.h"
#include "ui/pages/overview/open_model_choice.h"
#include "ui/widgets/table_text.h"

#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include <filesystem>
#include <functional>
#include <memory>

namespace gufo::ui {

class JobBar;
class SegmentedControl;

class AdapterPanel : public QWidget {
    Q_OBJECT

public:
    explicit AdapterPanel(QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> adapter);
    // Lists the models that are open now. The chosen one stays chosen. Until the user chooses, it is the only one that
    // has the adapter's architecture.
    void listModels();
    // Measures the adapter beside the model of a file.
    void measureBeside(const std::filesystem::path& path);

    [[nodiscard]] AdapterModel* table() const { return m_table; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] OpenModelChoice* choice() const { return m_choice; }
    [[nodiscard]] SegmentedControl* rows() const { return m_rows; }
    [[nodiscard]] JobBar* jobBar() const { return m_bar; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] Job* job() const { return m_measuring.job(); }
    [[nodiscard]] QString copyText(CopyFormat format) const; // the table

signals:
    void measured(); // the figures are shown, or why there are none

protected:
    void showEvent(QShowEvent* event) override;

private:
    void writeSummary();
    void askForFile();
    void measure();
    void start(std::function<Result<std::shared_ptr<const Model>>(const JobContext&)> openBase);
    void showFigures(AdapterFigures figures);
    void forget(const QString& why);

    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Model> m_fromFile; // a model that is not open in a tab
    bool m_asked = false;                    // the user has chosen a model, or none
    LatestJob m_measuring{this};
    QLabel* m_summary;
    OpenModelChoice* m_choice;
    QPushButton* m_file;
    QLabel* m_fit;
    JobBar* m_bar;
    SegmentedControl* m_rows;
    AdapterModel* m_table;
    QTableView* m_view;
};

} // namespace gufo::ui
