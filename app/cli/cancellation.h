// Turns Ctrl-C and similar signals into a stop request for core.
#pragma once

#include "base/wait_scope.h"

#include <stop_token>
#include <thread>

namespace gufo::cli {

// While an instance exists, SIGINT, SIGTERM and SIGHUP request a stop, and the work removes its half-written files. A
// process can have one instance at a time. A signal that was ignored at program start (nohup) stays ignored.
class Cancellation {
public:
    Cancellation();
    ~Cancellation();
    Cancellation(const Cancellation&) = delete;
    Cancellation& operator=(const Cancellation&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    // What a cancelled verb returns: kSignal plus the number of the signal received, or kFailed if there was none.
    [[nodiscard]] int exitCode() const;

private:
    std::stop_source m_stop;
    WaitScope m_scope{m_stop.get_token()}; // views of files on servers end too
    std::jthread m_watcher;
};

} // namespace gufo::cli
