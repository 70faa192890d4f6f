// A thread for sequential work on one object, such as an engine's session: functions run in the order in which they
// were posted.
//
// Threads: belongs to the thread that created it. The destructor stops the running function without waiting: the thread
// drops the waiting functions, runs the one of setLast(), and ends. It sleeps while it has nothing to do.
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

    // If stop() was called before the function starts, it is called with a stop already requested.
    void post(Work work);
    // Sets the function that runs in any case before the thread ends, to release what only the thread uses. A later
    // call replaces it.
    void setLast(std::function<void()> work);
    // Stops the running function and the waiting ones, but not those posted later.
    void stop();

    // Waits for all threads whose WorkerThread was destroyed. Job::waitForAll() calls it.
    static void waitForAll();

private:
    struct Shared;
    struct Registry;
    std::shared_ptr<Shared> m_shared;
};

// Lowers the priority of background work, so that the window stays responsive while the work uses every core.
// Applies to the calling thread and to the threads that it starts afterwards.
void lowerThreadPriority();

} // namespace gufo::ui
