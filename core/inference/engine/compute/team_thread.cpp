#include "inference/engine/compute/team_thread.h"

#if defined(__linux__)
#include <ctime>
#include <mutex>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace gufo::inference {

#if defined(__linux__)

namespace {

constexpr int kMaxCores = CPU_SETSIZE;

int threadId() {
    thread_local const auto id = static_cast<int>(syscall(SYS_gettid));
    return id;
}

// Moves a thread of this process, 0 being the calling one. It may then be moved again by the system. Does nothing while
// another thread is being moved, because the affinity mask that it would read and restore might then be the temporary
// one.
void moveTo(int thread, int core) {
    static std::mutex moving;
    const std::unique_lock lock(moving, std::try_to_lock);
    if (!lock) {
        return;
    }
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (core < 0 || core >= kMaxCores || sched_getaffinity(thread, sizeof allowed, &allowed) != 0 ||
        !CPU_ISSET(core, &allowed)) {
        return;
    }
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    if (sched_setaffinity(thread, sizeof only, &only) == 0) {
        (void)sched_setaffinity(thread, sizeof allowed, &allowed);
    }
}

} // namespace

void TeamThread::begin() {
    m_id.store(threadId(), std::memory_order_relaxed);
    m_core.store(sched_getcpu(), std::memory_order_relaxed);
    m_working.store(true, std::memory_order_relaxed);
}

void TeamThread::end() {
    m_working.store(false, std::memory_order_relaxed);
    if (m_leaveFor.load(std::memory_order_relaxed) != kNone) {
        moveTo(0, m_leaveFor.exchange(kNone, std::memory_order_relaxed));
    }
}

std::optional<std::int64_t> TeamThread::processorTime() const {
    // The name of a thread's clock, as the kernel composes it; only threads of this process have one. The function of
    // POSIX takes a handle, which is invalid once the thread has ended.
    constexpr unsigned kClockOfThread = 6;
    const auto id = static_cast<unsigned>(m_id.load(std::memory_order_relaxed));
    const auto clock = static_cast<clockid_t>(~id << 3U | kClockOfThread);
    timespec time{};
    if (clock_gettime(clock, &time) != 0) {
        return std::nullopt;
    }
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// The next core that this thread may run on and no thread of the team was last seen on; kNone if there is none.
int TeamThread::coreWithout(std::span<const TeamThread> team, int after) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) {
        return kNone;
    }
    for (const TeamThread& thread : team) {
        if (const int core = thread.m_core.load(std::memory_order_relaxed); core >= 0 && core < kMaxCores) {
            CPU_CLR(core, &cores);
        }
    }
    for (int i = 1; i < kMaxCores; ++i) {
        if (const int core = (after + i) % kMaxCores; CPU_ISSET(core, &cores)) {
            return core;
        }
    }
    return kNone;
}

void TeamThread::moveToThisCore(Then then, std::span<const TeamThread> team) {
    const int current = sched_getcpu();
    int other = m_core.load(std::memory_order_relaxed);
    if (other != current) {
        moveTo(m_id.load(std::memory_order_relaxed), current);
    } else {
        other = coreWithout(team, current);
    }
    if (then == Then::Leave) {
        m_leaveFor.store(other, std::memory_order_relaxed);
    } else {
        moveTo(0, other);
    }
}

#else

void TeamThread::begin() {}
void TeamThread::end() {}
std::optional<std::int64_t> TeamThread::processorTime() const { return std::nullopt; }
int TeamThread::coreWithout(std::span<const TeamThread>, int) { return kNone; }
void TeamThread::moveToThisCore(Then, std::span<const TeamThread>) {}

#endif

} // namespace gufo::inference
