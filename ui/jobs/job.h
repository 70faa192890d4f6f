// Work off the UI thread: a function runs on a pool thread, and its result is delivered on the UI thread. A job reports
// progress and can be cancelled.
//
//    m_job = startJob<TensorAnalysis>(this,
//        [model, tensor](const JobContext& context) { return analyseTensor(*model, tensor, {}, context); },
//        [this](Result<TensorAnalysis> result) { show(std::move(result)); });
//
// The function must own (by shared_ptr or value) everything that it uses, and must never touch a widget. `done` runs on
// the UI thread, unless the job was cancelled or its owner destroyed before. Destroying the owner or the Job cancels
// the job without waiting for it.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace gufo::ui {

class Job : public QObject {
    Q_OBJECT

public:
    ~Job() override;
    void cancel();
    [[nodiscard]] bool isCancelled() const { return m_stop.stop_requested(); }

    // Waits for all jobs of the process to end; for the end of main() and of tests.
    static void waitForAll();

signals:
    void progressed(quint64 done, quint64 total); // at most every 50 ms; total 0: not known
    void finished();                              // after `done`, or after a cancelled job's function returned

private:
    template<typename T, typename Work, typename Done>
    friend Job* startJob(QObject* owner, Work work, Done done);

    explicit Job(QObject* owner);
    // Runs `work` on the pool, then `deliver` on the UI thread.
    void run(std::function<void()> work, std::function<void()> deliver);

    std::stop_source m_stop;
    std::shared_ptr<Progress> m_progress = std::make_shared<Progress>();
    QTimer m_timer;
};

// Starts a job that is a child of `owner` and deletes itself when it has finished. LatestJob (latest_job.h)
// starts most jobs; whoever holds one itself holds it in a QPointer.
template<typename T, typename Work, typename Done>
Job* startJob(QObject* owner, Work work, Done done) {
    auto* job = new Job(owner);
    auto result = std::make_shared<std::optional<Result<T>>>();
    job->run(
        [work = std::move(work), result, stop = job->m_stop.get_token(), progress = job->m_progress] {
            result->emplace(work(JobContext{.stop = stop, .progress = progress.get()}));
        },
        [done = std::move(done), result] { done(std::move(**result)); });
    return job;
}

// Destroys objects on a pool thread, so that the UI thread does not wait while gigabytes are unmapped, the tables of a
// large model are freed, or a program exits.
template<typename... T>
void destroyElsewhere(T... objects) {
    QThreadPool::globalInstance()->start([... held = std::move(objects)] {});
}

// Writes files off the UI thread, one after the other, so that the latest version is written last. Job::waitForAll()
// waits for it.
[[nodiscard]] QThreadPool& fileWriter(); // has a single thread

} // namespace gufo::ui
