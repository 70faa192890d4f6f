// A thread for what has to be done step after step on one thing, such as a session of the engine: functions run in the
// order in which they were given.
//
// Threads: of the thread that made it. Destroying it stops the function at work and does not wait: the thread drops the
// functions that wait, runs that of setLast(), and ends. It sleeps while it has nothing to do.
#pragma once

#include "base/job_context.h"

#include <functional>
#include <memory>

namespace gufo::ui {

class WorkerThread {
public:
    using Work = std::function<void(const JobContext&)>;

    WorkerThread();
    ~WorkerThread();
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;

    // Called with a stop that is requested already where stop() came before its turn.
    void post(Work work);
    // Run in any case, before the thread ends: gives back what only the thread uses. The last one given counts.
    void setLast(std::function<void()> work);
    // Stops the function at work and those that wait; later ones are not concerned.
    void stop();

    // Waits for the ends of all threads whose WorkerThread is gone; Job::waitForAll() does.
    static void waitForAll();

private:
    struct Shared;
    struct Registry;
    std::shared_ptr<Shared> m_shared;
};

} // namespace gufo::ui
