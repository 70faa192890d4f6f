#include "ui/jobs/worker_thread.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace gufo::ui {

struct WorkerThread::Shared {
    struct Step {
        Work work;
        std::stop_source stop;
    };
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Step> steps;     // the first is running, or is next
    std::function<void()> last; // runs before the thread ends
    bool ended = false;
    bool done = false; // the thread has nothing left to do

    void run() {
        lowerThreadPriority();
        std::unique_lock lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return ended || !steps.empty(); });
            if (ended) {
                break;
            }
            const Step step = steps.front();
            lock.unlock();
            step.work({.stop = step.stop.get_token()});
            lock.lock();
            steps.pop_front();
        }
        const std::deque<Step> dropped = std::move(steps); // destroyed outside of the lock: what they hold may be large
        const std::function<void()> work = std::move(last);
        lock.unlock();
        if (work) {
            work();
        }
        lock.lock();
        done = true;
    }
};

// All threads that have not been waited for. Accessed from the UI thread only.
struct WorkerThread::Registry {
    struct Entry {
        std::thread thread;
        std::shared_ptr<Shared> shared;
    };
    std::vector<Entry> entries;

    static Registry& instance() {
        static auto* const registry = new Registry; // leaked, because Qt calls exit() when the X server ends
        return *registry;
    }
    // Waits for the threads that satisfy the predicate; they have ended or are about to.
    template<typename Ends>
    void join(const Ends& ends) {
        std::erase_if(entries, [&ends](Entry& entry) {
            {
                const std::scoped_lock lock(entry.shared->mutex);
                if (!ends(*entry.shared)) {
                    return false;
                }
            }
            entry.thread.join();
            return true;
        });
    }
};

WorkerThread::WorkerThread()
    : m_shared(std::make_shared<Shared>()) {
    Registry& registry = Registry::instance();
    registry.join([](const Shared& shared) { return shared.done; });
    registry.entries.push_back({std::thread([shared = m_shared] { shared->run(); }), m_shared});
}

WorkerThread::~WorkerThread() {
    stop();
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->ended = true;
    m_shared->wake.notify_one();
}

void WorkerThread::post(Work work) {
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->steps.push_back({std::move(work), {}});
    m_shared->wake.notify_one();
}

void WorkerThread::setLast(std::function<void()> work) {
    const std::scoped_lock lock(m_shared->mutex);
    m_shared->last = std::move(work);
}

void WorkerThread::stop() {
    const std::scoped_lock lock(m_shared->mutex);
    for (Shared::Step& step : m_shared->steps) {
        step.stop.request_stop();
    }
}

void WorkerThread::waitForAll() {
    Registry::instance().join([](const Shared& shared) { return shared.ended; });
}

void lowerThreadPriority() {
#if defined(__linux__)
    thread_local const bool lowered = setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5) == 0;
    (void)lowered;
#endif
}

} // namespace gufo::ui
