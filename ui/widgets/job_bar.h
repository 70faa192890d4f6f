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
    // Puts the bar over a corner of a view instead of into a layout. In a narrow window a bar in a layout moves and
    // resizes what is beside it when it appears, and a view that is decoded for its size would begin its job again.
    void putOver(QWidget& view, Qt::Alignment corner);
    void hideCancel(); // for jobs that are stopped by the control that started them

    // Follows a job from now on instead of the previous one, which continues.
    void watch(Job* job, const QString& what);
    // Cancels the job that is being followed and hides the bar.
    void cancel();
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }

signals:
    void cancelled(); // by the user

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // follows the size of the view
    bool event(QEvent* event) override;

private:
    void stopWatching();
    void moveToCorner();

    QLabel* m_what;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QPointer<Job> m_job;
    QTimer m_showSoon;
    Qt::Alignment m_corner; // of the parent; none: the bar is in a layout
};

} // namespace gufo::ui
