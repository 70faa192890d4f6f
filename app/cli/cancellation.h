// Ctrl-C and its like as a stop request that core's work understands.
#pragma once

#include <stop_token>
#include <thread>

namespace gufo::cli {

// While one lives, SIGINT, SIGTERM and SIGHUP ask the work to stop, which then removes what it has half written. One at
// a time in a process. A signal that was ignored at the start (nohup) stays so.
class Cancellation {
public:
    Cancellation();
    ~Cancellation();
    Cancellation(const Cancellation&) = delete;
    Cancellation& operator=(const Cancellation&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    // kSignal + the signal that came, kFailed if none did: what a cancelled verb returns.
    [[nodiscard]] int exitCode() const;

private:
    std::stop_source m_stop;
    std::jthread m_watcher;
};

} // namespace gufo::cli
