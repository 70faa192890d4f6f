// The audit of the template on the Template page: what it finds, and for the selected finding the two conversations
// that differ in one thing, rendered side by side with the differing lines coloured. Findings about the template that
// validation makes are listed with it.
#pragma once

#include "text/audit/template_audit.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/template/template_remarks.h"
#include "ui/widgets/job_bar.h"

#include <QAbstractListModel>
#include <QLabel>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>

namespace gufo::ui {

class AuditModel : public QAbstractListModel {
    Q_OBJECT

public:
    struct Row {
        std::optional<text::AuditFinding> finding{};
        std::optional<TemplateRemark> remark{}; // otherwise
        int line = 0;                           // counts from 1; 0: not about a line
    };
    using QAbstractListModel::QAbstractListModel;
    void setRows(std::vector<Row> rows);
    [[nodiscard]] const Row* row(const QModelIndex& index) const;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Row> m_rows;
};

// One rendering of a witness, whose lines that the other one does not have are coloured.
class WitnessView : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit WitnessView(bool added, QWidget* parent);
    // Marks the words of the text that the other does not have there.
    void setTexts(const QString& text, const QString& other);

private:
    void restyle();
    void paintDifferences();

    struct Range { // of positions in the text
        int begin = 0;
        int end = 0;
    };
    bool m_added;
    std::vector<Range> m_different;
};

class AuditPanel : public QWidget {
    Q_OBJECT

public:
    explicit AuditPanel(QWidget* parent);

    // Audits a template in a job. Only the newest one counts.
    void audit(const std::shared_ptr<const Model>& model, std::string key, const QString& source);
    // Ends the job and forgets what was found, because the template is another one.
    void forget();
    [[nodiscard]] bool isRunning() const { return m_job.isRunning(); }
    // Repairs are offered only where the model can be edited.
    void setEditable(bool editable);
    [[nodiscard]] const text::TemplateAudit* result() const { return m_result ? &*m_result : nullptr; }
    [[nodiscard]] QListView* list() const { return m_list; }
    [[nodiscard]] QString verdict() const { return m_verdict->text(); }

signals:
    void finished(); // the audit, also with an error or after it was cancelled
    void auditRequested();
    void closed();
    void lineRequested(int line); // counts from 1
    void repairRequested(const std::vector<Change>& changes, const QString& label);

private:
    struct Audited {
        text::TemplateAudit audit;
        std::vector<TemplateRemark> remarks;
    };
    void showFindings(Audited audited, std::string_view source);
    void showVerdict();
    void showSelected();
    [[nodiscard]] std::vector<Change> repairOf(const AuditModel::Row& row) const;
    void requestRepair();

    QLabel* m_verdict;
    JobBar* m_progress;
    QPushButton* m_again;
    AuditModel* m_model;
    QListView* m_list;
    QLabel* m_message;
    QPushButton* m_repair;
    QPushButton* m_goTo;
    QLabel* m_titleA;
    QLabel* m_titleB;
    WitnessView* m_a;
    WitnessView* m_b;
    QWidget* m_witness;
    std::string m_key;
    bool m_editable = false;
    std::optional<text::TemplateAudit> m_result;
    LatestJob m_job{this};
};

} // namespace gufo::ui
