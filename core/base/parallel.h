// A loop over chunks of a range on several threads.
#pragma once

#include "base/job_context.h"

#include <cstdint>
#include <functional>

namespace gufo {

// Threads that a loop uses when none are asked for: the hardware threads this process may run on.
[[nodiscard]] unsigned hardwareThreads();

// Calls body(begin, end, worker) for consecutive chunks of at most `grain` (> 0) covering [0, count), in no fixed
// order, from worker threads 0 … n-1; the calling thread is worker 0. Each worker takes the next chunk when it is free,
// so uneven chunks balance. Returns false if the stop token ended the loop before all chunks were taken. `body` must
// not throw.
using ParallelBody = std::function<void(std::uint64_t begin, std::uint64_t end, unsigned worker)>;
bool parallelFor(std::uint64_t count, std::uint64_t grain, const JobContext& job, const ParallelBody& body);

// How many workers parallelFor will use, so that the caller can give each its own accumulator.
[[nodiscard]] unsigned workerCount(std::uint64_t count, std::uint64_t grain, const JobContext& job);

} // namespace gufo
