// What a job is doing, how far it is, and a button that cancels it. Shows itself only when the job takes a moment.
#pragma once

#include "ui/jobs/job.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

namespace gufo::ui {

class JobBar : public QWidget {
    Q_OBJECT

public:
    explicit JobBar(QWidget* parent = nullptr);
    void hideCancel(); // where what has begun the job stops it too

    // Follows a job from now on, instead of the one before (which goes on).
    void watch(Job* job, const QString& what);
    // Cancels what is being watched and hides.
    void cancel();
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }

signals:
    void cancelled(); // by the person

private:
    void stopWatching();

    QLabel* m_what;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QPointer<Job> m_job;
    QTimer m_showSoon;
};

} // namespace gufo::ui
