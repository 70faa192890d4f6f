// The page that runs all files of a comparison on one text in lock step, and shows where and how far they diverge.
#pragma once

#include "ui/compare/behaviour/behaviour_measure.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/lock_step/lock_step_model.h"
#include "ui/plots/picture_frame.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>

namespace gufo::ui {

class JobBar;
class LockStepPlot;
class SeriesLegend;

class LockStepPage : public ComparePage {
    Q_OBJECT

public:
    explicit LockStepPage(Comparison& comparison, QWidget* parent = nullptr,
                          std::span<const inference::Engine> engines = inference::engines());
    [[nodiscard]] QString title() const override { return tr("Run"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("run"); }
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    // Starts a run, or stops the running one.
    void toggle();
    [[nodiscard]] const LockStepRun& run() const { return m_run; }
    [[nodiscard]] QSpinBox* lengthField() const { return m_maximum; }
    [[nodiscard]] QPushButton* runButton() const { return m_start; }
    // Null if the table of engines has only one that can do this.
    [[nodiscard]] QLineEdit* addressField() const { return m_address; }
    [[nodiscard]] QLineEdit* keyField() const { return m_key; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] LockStepPlot* plot() const { return m_plot; }

signals:
    // Asks which tensors make the files predict another token than the reference at a position.
    void blameRequested(const gufo::ui::BehaviourText& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // Ctrl+Enter in the text
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildStrip();
    QWidget* buildEnginesRow();
    // The server that takes part; its address is empty if there is none.
    [[nodiscard]] inference::ServerAccess server() const;
    QWidget* buildTable();
    void fitColumns();
    QWidget* buildSide();
    [[nodiscard]] QString csv() const;
    [[nodiscard]] PictureFrame pictureFrame() const;
    void filesChanged();
    void askVersion(); // of the other engine, which may not be installed
    void updateState();
    [[nodiscard]] QString whyNot() const; // the files cannot be run; empty if they can
    void showFigures();
    void updateSummary();
    void shareDivergences();
    void choose(int row);
    void showTokenMenu(QPoint at); // in the table
    void blameToken(int row);

    LockStepRun m_run;
    LockStepModel m_model;
    QPlainTextEdit* m_text;
    QSpinBox* m_maximum;
    QCheckBox* m_withLibrary = nullptr;
    QCheckBox* m_withServer = nullptr;
    bool m_wantsLibrary = false; // the restored state of the box, until it is known whether it can be checked
    bool m_versionAsked = false;
    QLineEdit* m_address = nullptr;
    QLineEdit* m_key = nullptr;
    QPushButton* m_start;
    QPushButton* m_difference; // goes to the first difference
    JobBar* m_progress;
    QLabel* m_summary;
    SeriesLegend* m_legend;
    LockStepPlot* m_plot;
    QTableView* m_table = nullptr;
    QLabel* m_candidates;
    QSplitter* m_parts;
};

} // namespace gufo::ui
