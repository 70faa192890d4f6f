// Shows what a job is doing, its progress, and a button that cancels it. The bar appears only if the job takes a
// moment.
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
    // Puts the bar into the upper right corner of a view. A bar beside a view that is decoded for its size must not be
    // in a layout with it: where the bar widens the window's content, its appearance would resize the view and so begin
    // the job again.
    void putOver(QWidget& view);
    void hideCancel(); // for jobs that are stopped by the control that started them

    // Follows a job from now on instead of the previous one, which continues.
    void watch(Job* job, const QString& what);
    // Cancels the job that is being followed and hides the bar.
    void cancel();
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }

signals:
    void cancelled(); // by the user

private:
    void stopWatching();

    QLabel* m_what;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QPointer<Job> m_job;
    QTimer m_showSoon;
};

} // namespace gufo::ui
