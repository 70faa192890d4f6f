// A dialog that works on something for long, such as writing a model. If it is closed meanwhile, it asks first, because
// stopping discards what was done so far.
#pragma once

#include "ui/jobs/job.h"

#include <QDialog>
#include <QPointer>

class QMessageBox;

namespace gufo::ui {

// Gives a dialog its first size, at most the size of the window over which it opens, so that its buttons are on the
// screen.
void resizeOverWindow(QDialog& dialog, QSize wanted);

class JobDialog : public QDialog {
    Q_OBJECT

public:
    using QDialog::QDialog;

    [[nodiscard]] bool isWorking() const { return !m_work.isNull() && !m_work->isCancelled(); }
    // The dialog of this window that is working; null if there is none.
    [[nodiscard]] static JobDialog* workingIn(const QWidget& window);

    void reject() override; // Escape, the Close button and the frame's

signals:
    void closedWhileWorking(); // the user has agreed to stop

protected:
    // Call when the work begins. The texts are for the question: what would be stopped, and what becomes of it.
    void setWork(Job* job, const QString& question, const QString& consequence);

private:
    void ask();

    QPointer<Job> m_work;
    QPointer<QMessageBox> m_box;
    QString m_question;
    QString m_consequence;
};

} // namespace gufo::ui
