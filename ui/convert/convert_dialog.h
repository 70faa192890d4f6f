// The dialog that converts a folder in another layout, a PEFT adapter, or a file from before GGUF to GGUF. It shows the
// choices and the plan as tables; then it writes the file, with progress, rate, remaining time and a cancel button.
#pragma once

#include "ui/convert/plan_key_model.h"
#include "ui/convert/plan_tensor_model.h"
#include "ui/jobs/latest_job.h"
#include "ui/theme/theme.h"
#include "ui/widgets/job_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>

namespace gufo::ui {

class BaseField;
class FilterField;
class ImatrixField;
class JobBar;
class SegmentedControl;

class ConvertDialog : public JobDialog {
    Q_OBJECT

public:
    // The path names a folder, a file of weights in it, or a file from before GGUF.
    ConvertDialog(std::filesystem::path path, QWidget* parent);

    // Starts writing; called by the button after it has asked for a name.
    void write(const std::filesystem::path& path);

    [[nodiscard]] ImatrixField* imatrix() const { return m_imatrix; }
    [[nodiscard]] BaseField* base() const { return m_base; }
    [[nodiscard]] FilterField* filter() const { return m_filter; }
    [[nodiscard]] SegmentedControl* tables() const { return m_which; }
    [[nodiscard]] QPushButton* openButton() const { return m_open; }
    [[nodiscard]] QPushButton* compareButton() const { return m_compare; }
    [[nodiscard]] JobBar* jobBar() const { return m_progress; }
    [[nodiscard]] QString summary() const { return m_summary->text(); }
    [[nodiscard]] QString notice() const { return m_notice->text(); }
    [[nodiscard]] const PlannedConversion* planned() const { return m_planned.get(); }
    [[nodiscard]] bool isPlanning() const { return m_planning.isRunning() || m_planSoon.isActive(); }
    [[nodiscard]] bool isWriting() const { return !m_writing.isNull(); }

signals:
    void plannedOrRefused();
    void written();
    void compareRequested(const std::filesystem::path& original, const std::filesystem::path& written);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    [[nodiscard]] ConversionChoices choices() const;
    void replanSoon();
    void offerWhatApplies();
    void listTypes();
    void plan();
    void showPlan(std::shared_ptr<const PlannedConversion> planned);
    void showRefusal(const Error& error);
    void showNotice(const QString& text, Token color);
    void showCounts();
    void showRate(quint64 done, quint64 total);
    void setInputsEnabled(bool enabled);
    void ask();

    std::filesystem::path m_path;
    std::shared_ptr<const PlannedConversion> m_planned;
    std::shared_ptr<const convert::ConversionSource> m_source; // null until it was read
    QTimer m_planSoon;
    LatestJob m_planning{this};
    QPointer<Job> m_writing;
    QElapsedTimer m_clock;
    std::filesystem::path m_written;

    QComboBox* m_type;
    ImatrixField* m_imatrix;
    QLineEdit* m_name;
    QCheckBox* m_vocabulary;
    QLabel* m_baseLabel;
    BaseField* m_base;
    SegmentedControl* m_which;
    FilterField* m_filter;
    QLabel* m_count;
    QStackedWidget* m_stack;
    PlanTensorModel* m_tensorModel;
    PlanKeyModel* m_keyModel;
    QSortFilterProxyModel* m_tensorRows;
    QSortFilterProxyModel* m_keyRows;
    QTableView* m_tensors;
    QTableView* m_keys;
    QLabel* m_summary;
    QLabel* m_notice;
    JobBar* m_progress;
    QLabel* m_rate;
    QPushButton* m_convert;
    QPushButton* m_open;
    QPushButton* m_compare;
};

} // namespace gufo::ui
