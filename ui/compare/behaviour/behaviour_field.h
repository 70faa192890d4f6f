// Chooses a text and the parts that are swapped together, says what that costs, and measures which tensors of the files
// of a comparison change the answers, one file after the other. The figures are kept in the comparison while the text
// stays.
#pragma once

#include "ui/compare/behaviour/behaviour_measure.h"
#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"

#include <QComboBox>
#include <QPushButton>
#include <QStringList>
#include <QWidget>

namespace gufo::ui {

class ElidedLabel;
class JobBar;
class SegmentedControl;

class BehaviourField : public QWidget {
    Q_OBJECT

public:
    explicit BehaviourField(Comparison& comparison, QWidget* parent = nullptr);

    [[nodiscard]] const BehaviourText& text() const { return m_text; }
    void setText(BehaviourText text); // forgets the figures of an earlier one
    [[nodiscard]] BehaviourDetail detail() const;
    void setDetail(BehaviourDetail detail);
    // The block that BehaviourDetail::ChosenBlock swaps tensor by tensor; nothing: no block is chosen.
    void setBlock(std::optional<std::uint32_t> block);
    // Measures the tensors of a block, beside what was measured before. Ignored while that is impossible.
    void refine(std::uint32_t block);
    void measure();
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    [[nodiscard]] QComboBox* detailField() const { return m_detail; }
    [[nodiscard]] QPushButton* measureButton() const { return m_measure; }
    [[nodiscard]] SegmentedControl* viewChoice() const { return m_view; } // 0: map, 1: scatter plot, 2: layers
    [[nodiscard]] JobBar& progress() const { return *m_progress; }
    [[nodiscard]] QString notesText() const;

signals:
    void viewChosen(int view); // by the user
    void measured();           // the figures that the user asked for, as far as there are any

protected:
    void showEvent(QShowEvent* event) override;

private:
    void choose();
    void estimate();
    void next(std::size_t index); // of the files except the reference
    void finish();
    void updateState();
    [[nodiscard]] BehaviourRequest requestOf(std::size_t file) const;
    [[nodiscard]] QString whyNot() const; // no measurement is possible; empty if one is
    [[nodiscard]] QStringList figures() const;

    Comparison& m_comparison;
    BehaviourText m_text{};
    std::map<hub::ModelPlace, std::shared_ptr<const Behaviour>> m_found; // by the running measurement
    QStringList m_whyNot;                                                // of files without figures
    QString m_cost;
    std::optional<std::uint32_t> m_block;
    std::pair<BehaviourDetail, std::optional<std::uint32_t>> m_measuredAs{BehaviourDetail::Blocks, {}};
    LatestJob m_job{this};
    LatestJob m_estimate{this};
    ElidedLabel* m_name;
    QPushButton* m_choose;
    QComboBox* m_detail;
    QPushButton* m_measure;
    SegmentedControl* m_view;
    JobBar* m_progress;
    ElidedLabel* m_notes;
};

} // namespace gufo::ui
