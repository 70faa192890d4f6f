// The dialog for quantising a model: a recipe, types for individual tensors, an importance matrix and the resulting
// size; then writes the new file with progress and a cancel button.
#pragma once

#include "quantize/quantize_model.h"
#include "ui/jobs/latest_job.h"
#include "ui/widgets/job_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>

namespace gufo::ui {

class ImatrixField;
class JobBar;

class QuantizeDialog : public JobDialog {
    Q_OBJECT

public:
    QuantizeDialog(std::shared_ptr<const Model> model, QWidget* parent);

    // Adds an override: tensors whose names match the pattern get the type.
    void addOverride(const QString& pattern, std::uint32_t typeId);
    // Adds overrides for exactly these tensors, one for each role.
    void addOverride(const std::vector<TensorIndex>& tensors, std::uint32_t typeId);
    void setImatrix(std::shared_ptr<const Imatrix> imatrix);

    // Starts writing; called by the button after it has asked for a name.
    void write(const std::filesystem::path& path);

    [[nodiscard]] QComboBox& mix() { return *m_mix; }
    [[nodiscard]] QTableWidget& overrides() { return *m_overrides; }
    [[nodiscard]] QTableWidget& preview() { return *m_preview; }
    [[nodiscard]] ImatrixField& imatrix() { return *m_imatrix; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] QString notice() const { return m_notice->text(); }
    [[nodiscard]] QPushButton& compareButton() { return *m_compare; }
    [[nodiscard]] bool isBusy() const { return m_planning.isRunning() || !m_writing.isNull(); }

signals:
    void written(const QString& path);
    void compareRequested(const std::filesystem::path& original, const std::filesystem::path& written);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    // The current request. Empty, with a notice shown, if a pattern is not a valid regular expression.
    [[nodiscard]] std::optional<QuantizeRequest> request();
    void plan();
    void showPlan(const QuantizePlan& plan, const std::vector<TypeOverride>& overrides);
    void showNotice(const QString& text, bool error);
    void showError(const Error& error);
    void ask();
    void setInputsEnabled(bool enabled);
    [[nodiscard]] QString proposedName() const;

    std::shared_ptr<const Model> m_model;
    QTimer m_planSoon;
    LatestJob m_planning{this};
    QPointer<Job> m_writing;
    std::filesystem::path m_written;

    QComboBox* m_mix;
    QLabel* m_meaning;
    QTableWidget* m_overrides;
    QPushButton* m_add;
    QPushButton* m_remove;
    ImatrixField* m_imatrix;
    QCheckBox* m_requantise;
    QTableWidget* m_preview;
    QLabel* m_summary;
    QLabel* m_notice;
    JobBar* m_progress;
    QPushButton* m_write;
    QPushButton* m_open;
    QPushButton* m_compare;
};

} // namespace gufo::ui
