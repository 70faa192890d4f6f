// Shows the size and the error that tensors would have as other types, in a table of all types that fills while the
// weights are being encoded.
#pragma once

#include "quantize/what_if.h"
#include "ui/jobs/latest_job.h"
#include "ui/quantize/what_if_model.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <mutex>

namespace gufo::ui {

class ImatrixField;
class JobBar;

class WhatIfDialog : public QDialog {
    Q_OBJECT

public:
    // `subject` names the tensors as a group. Each dialog is a window of its own, and several may be open.
    WhatIfDialog(std::shared_ptr<const Model> model, std::vector<TensorIndex> tensors, const QString& subject,
                 QWidget* parent);

    [[nodiscard]] const WhatIfModel& figures() const { return m_figures; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] ImatrixField& imatrix() { return *m_imatrix; }
    [[nodiscard]] QComboBox& extent() { return *m_extent; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    [[nodiscard]] QString notice() const { return m_notice->text(); }

signals:
    // "Quantise with…" was chosen for these tensors and this type.
    void quantiseRequested(const std::vector<gufo::TensorIndex>& tensors, quint32 typeId);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    // Holds the job's latest figures.
    struct Latest {
        std::mutex mutex;
        std::optional<WhatIf> result;
    };

    void build(const QString& subject);
    void start();
    void takeLatest();
    void take(WhatIf result);
    void showError(const Error& error);
    void showWeighted(bool weighted);
    void copy() const;

    std::shared_ptr<const Model> m_model;
    std::vector<TensorIndex> m_tensors;
    std::optional<std::uint32_t> m_present{};
    WhatIfModel m_figures;
    QSortFilterProxyModel m_sorted;
    std::shared_ptr<Latest> m_latest;
    LatestJob m_job{this};

    ImatrixField* m_imatrix;
    QComboBox* m_extent;
    QTableView* m_table;
    QLabel* m_looked;
    QLabel* m_notice;
    JobBar* m_progress;
    QPushButton* m_quantise;
};

} // namespace gufo::ui
