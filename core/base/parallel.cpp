#include "base/parallel.h"

#include "base/wait_scope.h"

#include <algorithm>
#include <sched.h>
#include <thread>
#include <vector>

namespace gufo {

unsigned hardwareThreads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    }
    return std::max(1U, std::thread::hardware_concurrency());
}

unsigned workerCount(std::uint64_t count, std::uint64_t grain, const JobContext& job) {
    const std::uint64_t chunks = count / grain + (count % grain != 0 ? 1 : 0);
    const std::uint64_t threads = job.threads != 0 ? job.threads : hardwareThreads();
    return static_cast<unsigned>(std::clamp<std::uint64_t>(chunks, 1, threads));
}

bool parallelFor(std::uint64_t count, std::uint64_t grain, const JobContext& job, const ParallelBody& body) {
    const std::uint64_t chunks = count / grain + (count % grain != 0 ? 1 : 0);
    std::atomic<std::uint64_t> next = 0;
    std::atomic<std::uint64_t> finished = 0;
    const auto work = [&](unsigned worker) {
        const WaitScope scope(job.stop);
        while (!job.stopRequested()) {
            const std::uint64_t chunk = next.fetch_add(1, std::memory_order_relaxed);
            if (chunk >= chunks) {
                return;
            }
            const std::uint64_t begin = chunk * grain;
            body(begin, begin + std::min(grain, count - begin), worker);
            finished.fetch_add(1, std::memory_order_relaxed);
        }
    };
    {
        const unsigned workers = workerCount(count, grain, job);
        std::vector<std::jthread> threads;
        threads.reserve(workers - 1);
        for (unsigned worker = 1; worker < workers; ++worker) {
            threads.emplace_back(work, worker);
        }
        work(0);
    }
    return finished.load() == chunks;
}

} // namespace gufo
