// A job whose newest run alone counts: a search that follows typing, or the figures of the shown tensor.
// Starting it cancels the job that was started before, whose `done` is then not called.
//
//    LatestJob m_search{this};
//    m_search.start<Matches>([query](const JobContext& context) { return find(query, context); },
//                            [this](Result<Matches> matches) { show(std::move(matches)); });
//
// Thread contract: belongs to the UI thread. It is a member of its owner, or of an object that outlives it.
#pragma once

#include "ui/jobs/job.h"

namespace gufo::ui {

class LatestJob {
public:
    explicit LatestJob(QObject* owner)
        : m_owner(owner) {}
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    // As startJob() does. The job is over when `done` is called, so that `done` may start the next one. `stopped` is
    // called in its place if something other than this object has cancelled the job: the bar that shows its progress,
    // or a save, which cancels the jobs of all pages.
    template<typename T, typename Work, typename Done>
    Job* start(Work work, Done done, std::function<void()> stopped = {}) {
        cancel();
        Job* job = startJob<T>(m_owner, std::move(work), [this, done = std::move(done)](Result<T> result) {
            m_job.clear();
            done(std::move(result));
        });
        QObject::connect(job, &Job::finished, m_owner, [this, job, stopped = std::move(stopped)] {
            if (m_job != job) {
                return; // `done` was called, or this object has cancelled the job
            }
            m_job.clear();
            if (stopped) {
                stopped();
            }
        });
        m_job = job;
        return job;
    }
    // Forgets the job: neither `done` nor `stopped` is called.
    void cancel() {
        if (m_job) {
            m_job->cancel();
        }
        m_job.clear();
    }
    [[nodiscard]] bool isRunning() const { return !m_job.isNull(); }
    [[nodiscard]] Job* job() const { return m_job; } // null if there is none

private:
    QObject* m_owner;
    QPointer<Job> m_job;
};

} // namespace gufo::ui
