// The review of all unsaved changes: a row for each, what it is in full below, and a way to take each back. Follows the
// document while it is open. Also shows a draft before it is taken up, without the buttons that change something.
#pragma once

#include "ui/document/model_document.h"
#include "ui/jobs/job.h"
#include "ui/saving/review_model.h"

#include <QDialog>
#include <QPointer>

class QLabel;
class QPushButton;
class QTableView;

namespace gufo::ui {

class DiffView;
class EmptyState;

class ReviewDialog : public QDialog {
    Q_OBJECT

public:
    // Of a document, which it follows. `name`: of the model, for the title.
    ReviewDialog(ModelDocument* document, const QString& name, QWidget* parent = nullptr);
    // Of a state that does not change.
    ReviewDialog(ReviewModel::State state, const QString& title, QWidget* parent = nullptr);

    // What saving will do; a line above the buttons.
    void setPlan(const QString& text);

    [[nodiscard]] ReviewModel* model() const { return m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] DiffView* diff() const { return m_diff; }
    [[nodiscard]] QPushButton* revertButton() const { return m_revert; }
    [[nodiscard]] QPushButton* saveButton() const { return m_save; }

signals:
    void saveRequested();
    void revertAllRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit ReviewDialog(QWidget* parent);
    void follow();
    void showState(ReviewModel::State state);
    void showDetail();
    void revertRow(int row);
    void copy(bool markdown);
    void exportReport();
    void updateButtons();
    [[nodiscard]] int currentRow() const;

    ModelDocument* m_document = nullptr;
    ReviewModel* m_model;
    QLabel* m_title;
    QTableView* m_table;
    EmptyState* m_nothing;
    QLabel* m_detailTitle;
    DiffView* m_diff;
    QLabel* m_plan;
    QPushButton* m_export;
    QPushButton* m_revert;
    QPushButton* m_revertAll;
    QPushButton* m_save;
    QPointer<Job> m_detailJob;
};

} // namespace gufo::ui
