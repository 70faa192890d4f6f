// The review of all unsaved changes: a row for each, its full detail below, and buttons to revert single changes. It
// follows the document while it is open. It also previews a draft, then without the buttons that change something.
#pragma once

#include "ui/document/model_document.h"
#include "ui/jobs/latest_job.h"
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
    // Reviews a document and follows it. `name` is the model's name for the title.
    ReviewDialog(ModelDocument* document, const QString& name, QWidget* parent = nullptr);
    // Reviews a fixed state.
    ReviewDialog(ReviewModel::State state, const QString& title, QWidget* parent = nullptr);

    // Sets the line above the buttons that says what saving will do.
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
    LatestJob m_detailJob{this};
};

} // namespace gufo::ui
