// Model › Surgery: blocks dropped, duplicated, taken out or added, experts pruned, single tensors in other types or in
// a file of their own, and the vocabulary extended or trimmed. What would change is shown before; the changes become
// one step of the document, which the review shows, undo takes back and saving writes.
#pragma once

#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
#include "ui/tools/surgery_plan.h"
#include "ui/tools/tool_dialog.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPointer>

#include <memory>

namespace gufo::ui {

class FileField;

class SurgeryDialog : public ToolDialog {
    Q_OBJECT

public:
    SurgeryDialog(ModelDocument* document, QWidget* parent);

    void choose(SurgeryKind kind);
    // Begins; called by the button, which first asks for a name where a file of its own is written.
    void perform(const std::filesystem::path& out = {});

    [[nodiscard]] QComboBox* operation() const { return m_operation; }
    [[nodiscard]] QLineEdit* text() const { return m_text; }
    [[nodiscard]] QComboBox* type() const { return m_type; }
    [[nodiscard]] FileField* donor() const { return m_donor; }
    [[nodiscard]] FileField* experts() const { return m_experts; }
    [[nodiscard]] QLineEdit* like() const { return m_like; }
    [[nodiscard]] QPushButton* reviewButton() const { return m_review; }
    [[nodiscard]] bool isPlanning() const { return m_planning.isRunning(); }

signals:
    void reviewRequested();

protected:
    void start() override;

private:
    [[nodiscard]] SurgeryKind kind() const;
    [[nodiscard]] SurgeryRequest request() const;
    void showFields();
    void plan();
    void showPlan(const SurgeryPlan& plan);
    void finish(const std::shared_ptr<const Model>& before, Result<SurgeryPlan> plan);

    QPointer<ModelDocument> m_document;
    LatestJob m_planning{this};
    QComboBox* m_operation;
    QLineEdit* m_text;
    QComboBox* m_type;
    FileField* m_donor;
    FileField* m_experts;
    QLineEdit* m_like;
    QPushButton* m_review;
};

} // namespace gufo::ui
