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
    // Makes the bar a child of the view, above its other children and in a corner, instead of adding it to a layout.
    // When a bar in a layout appears in a narrow window, it resizes the widgets beside it, and a map whose job depends
    // on its size would begin that job again.
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
    Qt::Alignment m_corner; // of the parent; empty: the bar is in a layout
};

} // namespace gufo::ui
