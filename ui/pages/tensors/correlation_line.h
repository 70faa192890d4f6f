// Pearson's correlation of the shown tensor with another one of equal shape: a selected one, the one in a neighbouring
// block, or another one of its block. A menu offers them; the result stands beside it.
#pragma once

#include "analysis/correlation.h"
#include "ui/jobs/latest_job.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QWidget>

#include <functional>

namespace gufo::ui {

class JobBar;

// The tensors with which one is worth comparing, in the order of the menu: those selected, the same in the next and
// the previous block, others of the block. All have its shape, and values that can be decoded.
[[nodiscard]] std::vector<TensorIndex> correlationPartners(const Model& model, TensorIndex tensor,
                                                           const std::vector<TensorIndex>& selected);

class CorrelationLine : public QWidget {
    Q_OBJECT

public:
    explicit CorrelationLine(QWidget* parent = nullptr);
    void setTensor(std::shared_ptr<const Model> model, TensorIndex tensor); // hides the line if there is no partner
    // After an edit that leaves the weights of the tensor as they are: its place among the others may be another one.
    void follow(std::shared_ptr<const Model> model, TensorIndex tensor);
    void reset();
    // Called when the menu opens.
    void setSelection(std::function<std::vector<TensorIndex>()> selection) { m_selection = std::move(selection); }
    [[nodiscard]] QMenu* menu() { return &m_menu; }
    [[nodiscard]] QString text() const { return m_text->text(); }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

signals:
    void failed(const gufo::Error& error);

private:
    void showState();
    void fill();
    void correlate(TensorIndex other);

    std::shared_ptr<const Model> m_model;
    TensorIndex m_tensor{};
    std::function<std::vector<TensorIndex>()> m_selection;
    LatestJob m_job{this};
    QPushButton* m_button;
    QMenu m_menu;
    QLabel* m_text;
    JobBar* m_progress;
};

} // namespace gufo::ui
