// Lets a job cancel views that wait for a network. ByteSource::view() has no JobContext, because most sources never
// wait; instead, a source that waits asks for the stop token of the thread's innermost scope. parallelFor() opens a
// scope in each of its threads, the jobs of the window open one in theirs, and so do the verbs of the console.
//
// Threads: a scope belongs to the thread that made it, and ends before the scope around it.
#pragma once

#include <stop_token>
#include <utility>

namespace gufo {

class WaitScope {
public:
    explicit WaitScope(std::stop_token stop)
        : m_outer(std::exchange(s_current, std::move(stop))) {}
    ~WaitScope() { s_current = std::move(m_outer); }
    WaitScope(const WaitScope&) = delete;
    WaitScope& operator=(const WaitScope&) = delete;

    // A token that never stops if the thread has no scope.
    [[nodiscard]] static std::stop_token current() { return s_current; }

private:
    static inline thread_local std::stop_token s_current;
    std::stop_token m_outer;
};

} // namespace gufo
