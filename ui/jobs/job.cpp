#include "ui/jobs/job.h"

#include "base/wait_scope.h"
#include "ui/jobs/worker_thread.h"

#include <QCoreApplication>
#include <QThreadPool>

namespace gufo::ui {

namespace {

// Jobs mostly wait for core's worker threads, so a few may run concurrently without slowing down the pages.
QThreadPool& pool() {
    static QThreadPool jobs;
    static const bool configured = [] {
        jobs.setMaxThreadCount(8);
        return true;
    }();
    Q_UNUSED(configured);
    return jobs;
}

constexpr int kProgressIntervalMs = 50;

} // namespace

Job::Job(QObject* owner)
    : QObject(owner) {
    m_timer.setInterval(kProgressIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { emit progressed(m_progress->done(), m_progress->total()); });
}

Job::~Job() { cancel(); }

void Job::cancel() { m_stop.request_stop(); }

void Job::waitForAll() {
    WorkerThread::waitForAll();
    pool().waitForDone();
    fileWriter().waitForDone();
}

void Job::run(std::function<void()> work, std::function<void()> deliver) {
    m_timer.start();
    QPointer<Job> self = this;
    pool().start([self, stop = m_stop.get_token(), work = std::move(work), deliver = std::move(deliver)] {
        lowerThreadPriority();
        {
            const WaitScope scope(stop);
            work();
        }
        // Checks on the UI thread whether the job still exists, because a QPointer may be tested only there.
        QCoreApplication* application = QCoreApplication::instance();
        if (application == nullptr) {
            return; // the program is ending
        }
        QMetaObject::invokeMethod(
            application,
            [self, deliver] {
                if (self.isNull()) {
                    return;
                }
                self->m_timer.stop();
                if (!self->isCancelled()) {
                    deliver();
                }
                if (!self.isNull()) { // `deliver` may have deleted the owner
                    emit self->finished();
                    self->deleteLater();
                }
            },
            Qt::QueuedConnection);
    });
}

QThreadPool& fileWriter() {
    static QThreadPool writer;
    writer.setMaxThreadCount(1);
    return writer;
}

} // namespace gufo::ui

#include "moc_job.cpp"
