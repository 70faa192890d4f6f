// The models in a repository of a hub: what they are, how large, and whether they run on this computer. Their headers
// are read one after the other as soon as the page has its repository; weights are not fetched.
#pragma once

#include "hub/model_place.h"
#include "hub/repository.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/repository/repository_model.h"
#include "ui/shell/page.h"

#include <QDialog>
#include <QLabel>
#include <QTimer>

#include <optional>
#include <string>

class QCheckBox;
class QPushButton;
class QTableView;

namespace gufo::ui {

class DiffView;
class ElidedLabel;
class FilterField;
class JobBar;

// The chat template of a model in a repository, and the one that it is compared with.
struct TemplateDifference {
    std::string reference;
    std::string candidate;     // the template of the model
    bool isBaseModels = false; // the reference is the template of the base model
};

// Shows the difference between two templates.
class TemplateDifferenceDialog : public QDialog {
    Q_OBJECT

public:
    TemplateDifferenceDialog(const QString& modelName, TemplateDifference difference, QWidget* parent = nullptr);

    [[nodiscard]] QString summary() const; // empty while the texts are compared
    [[nodiscard]] DiffView* view() const { return m_diff; }

private:
    QLabel* m_summary;
    DiffView* m_diff;
};

class RepositoryPage : public Page {
    Q_OBJECT

public:
    explicit RepositoryPage(QWidget* parent = nullptr);
    // Begins to read the headers. `freeMemory` is the memory that a run may take on this computer; 0 if it is not
    // known.
    void setRepository(std::shared_ptr<const hub::Repository> repository, std::uint64_t freeMemory);

    [[nodiscard]] QString title() const override { return tr("Files"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("list"); }
    // Unused: a repository has many models.
    void setModel(std::shared_ptr<const Model> model) override { Q_UNUSED(model); }
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override;

    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] const RepositoryModel& files() const { return *m_files; }
    [[nodiscard]] QPushButton* openButton() const { return m_open; }
    [[nodiscard]] QPushButton* compareButton() const { return m_compare; }
    [[nodiscard]] QPushButton* downloadButton() const { return m_download; }
    [[nodiscard]] JobBar* jobBar() const { return m_progress; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] bool isReading() const { return m_job.isRunning(); }

signals:
    void openRequested(const gufo::hub::ModelPlace& file);
    void compareRequested(const std::vector<gufo::hub::ModelPlace>& files);
    void downloadRequested(const gufo::hub::ModelFiles& files);
    void headersRead(); // or the reading was cancelled

private:
    struct Arrived;

    void build();
    void readHeaders();
    void endReading();
    void drain();
    void follow();
    void showTemplateDifference();
    // Of the selected model. Nothing if its template is not known, equals the other one, or there is none to compare it
    // with.
    [[nodiscard]] std::optional<TemplateDifference> templateDifference() const;
    [[nodiscard]] std::vector<int> selectedRows() const; // of the model
    [[nodiscard]] std::vector<hub::ModelPlace> selectedFiles() const;

    std::shared_ptr<const hub::Repository> m_repository;
    RepositoryModel* m_files;
    RepositoryFilter* m_rows;
    LatestJob m_job{this};
    std::shared_ptr<Arrived> m_arrived; // filled by the job
    QTimer m_drainSoon;
    std::uint64_t m_freeMemory = 0;

    QLabel* m_title;
    ElidedLabel* m_facts;
    FilterField* m_filter;
    QCheckBox* m_onlyFitting;
    QLabel* m_summary;
    QTableView* m_table;
    JobBar* m_progress;
    QPushButton* m_read;
    QPushButton* m_template;
    QPushButton* m_open;
    QPushButton* m_compare;
    QPushButton* m_download;
};

} // namespace gufo::ui
