// The context of a long-running operation in core: a token that cancels it and a counter of its progress.
#pragma once

#include "base/error.h"

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace gufo {

// Counts units chosen by the worker (bytes, tensors). Workers call advance(); any thread may read.
class Progress {
public:
    void start(std::uint64_t total) {
        m_done.store(0, std::memory_order_relaxed);
        m_total.store(total, std::memory_order_relaxed);
    }
    void advance(std::uint64_t units) { m_done.fetch_add(units, std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t total() const { return m_total.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t done() const { return m_done.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> m_total = 0; // 0: unknown
    std::atomic<std::uint64_t> m_done = 0;
};

// Passed by value. An operation returns ErrorCode::Cancelled within 50 ms of stopRequested() becoming true. Inner loops
// call stopRequested(); functions that return a Result write GUFO_TRY(job.check()).
struct JobContext {
    std::stop_token stop;
    Progress* progress = nullptr; // not owned; may be null
    unsigned threads = 0;         // 0: as many as the machine has

    [[nodiscard]] bool stopRequested() const { return stop.stop_requested(); }
    [[nodiscard]] Result<> check() const { return stopRequested() ? fail(ErrorCode::Cancelled) : Result<>(); }
    // The same job for an inner operation whose progress nobody shall see.
    [[nodiscard]] JobContext silent() const { return {.stop = stop, .progress = nullptr, .threads = threads}; }
    void start(std::uint64_t total) const {
        if (progress != nullptr) {
            progress->start(total);
        }
    }
    void advance(std::uint64_t units) const {
        if (progress != nullptr) {
            progress->advance(units);
        }
    }
};

} // namespace gufo
