// A loop over chunks of a range on several threads.
#pragma once

#include "base/job_context.h"

#include <cstdint>
#include <functional>

namespace gufo {

// The default number of threads of a loop: the hardware threads that this process may use.
[[nodiscard]] unsigned hardwareThreads();

// Calls body(begin, end, worker) for consecutive chunks of at most `grain` (> 0) indices that cover [0, count), in no
// fixed order. Workers are numbered from 0, and the calling thread is worker 0. A worker takes the next chunk as soon
// as it is free, which balances uneven chunks. Returns false if the stop token ended the loop before all chunks were
// taken. `body` must not throw.
using ParallelBody = std::function<void(std::uint64_t begin, std::uint64_t end, unsigned worker)>;
bool parallelFor(std::uint64_t count, std::uint64_t grain, const JobContext& job, const ParallelBody& body);

// The number of workers that parallelFor() will use, so that the caller can give each its own accumulator.
[[nodiscard]] unsigned workerCount(std::uint64_t count, std::uint64_t grain, const JobContext& job);

} // namespace gufo
