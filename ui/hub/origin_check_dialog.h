// Compares a file on this computer with the one on a server: whether it is the same, or what the uploader has changed
// in its metadata since, which can be taken over without fetching the weights.
#pragma once

#include "base/error.h"
#include "hub/model_place.h"
#include "hub/verify.h"
#include "model/change.h"
#include "ui/jobs/job.h"
#include "ui/theme/theme.h"

#include <QDialog>
#include <QPointer>

#include <filesystem>
#include <vector>

class QLabel;
class QPushButton;
class QRadioButton;

namespace gufo::ui {

class AddressField;
class JobBar;
class ModelDocument;

class OriginCheckDialog : public QDialog {
    Q_OBJECT

public:
    // `document` is the file's document.
    OriginCheckDialog(std::filesystem::path file, ModelDocument* document, QWidget* parent);

    enum class Check { Quick, Whole, Metadata };
    void setCheck(Check check);
    [[nodiscard]] AddressField* address() const { return m_address; }
    [[nodiscard]] QPushButton* checkButton() const { return m_check; }
    [[nodiscard]] QRadioButton* choice(Check check) const;
    [[nodiscard]] JobBar* jobBar() const { return m_progress; }
    [[nodiscard]] QString verdict() const; // empty until there is one
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }

signals:
    void ended();           // with a verdict, failed or cancelled
    void reviewRequested(); // the changes have been made in the document

private:
    void build();
    void update();
    void start();
    void verify(hub::Thoroughness thoroughness);
    void updateMetadata();
    void follow(Job* job, const QString& what);
    void showVerdicts(const std::vector<hub::FileVerification>& files);
    void takeChanges(std::vector<Change> changes);
    void showVerdict(const QString& text, Token color);

    std::filesystem::path m_file;
    hub::ModelPlace m_checked; // the original, while it is compared and after that
    QPointer<ModelDocument> m_document;
    QPointer<Job> m_job;

    AddressField* m_address;
    QRadioButton* m_quick;
    QRadioButton* m_whole;
    QRadioButton* m_metadata;
    QLabel* m_verdict;
    JobBar* m_progress;
    QPushButton* m_check;
};

} // namespace gufo::ui
