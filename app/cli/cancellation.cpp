#include "cli/cancellation.h"

#include "cli/console.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace gufo::cli {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

// A signal handler may call almost nothing, so it wakes the watching thread through a pipe.
std::array<int, 2> g_pipe = {-1, -1};
std::atomic<int> g_signal = 0;

void wakeWatcher(char why) {
    while (write(g_pipe[1], &why, 1) < 0 && errno == EINTR) {
    }
}

void onSignal(int signal) {
    const int savedErrno = errno;
    g_signal.store(signal);
    wakeWatcher('s');
    errno = savedErrno;
}

} // namespace

Cancellation::Cancellation() {
    if (pipe(g_pipe.data()) != 0) {
        return; // signals then end the program as they do by default
    }
    for (const int end : g_pipe) {
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    m_watcher = std::jthread([this] {
        char why = 0;
        ssize_t got = 0;
        while ((got = read(g_pipe[0], &why, 1)) < 0 && errno == EINTR) {
        }
        if (got == 1 && why == 's') {
            m_stop.request_stop();
        }
    });
    for (const int signal : kSignals) {
        struct sigaction action{};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler != SIG_IGN) {
            action = {};
            action.sa_handler = onSignal;
            action.sa_flags = SA_RESTART;
            sigaction(signal, &action, nullptr);
        }
    }
}

Cancellation::~Cancellation() {
    if (!m_watcher.joinable()) {
        return;
    }
    for (const int signal : kSignals) {
        struct sigaction action{};
        sigaction(signal, nullptr, &action);
        if (action.sa_handler == onSignal) {
            std::signal(signal, SIG_DFL);
        }
    }
    wakeWatcher('e');
    m_watcher.join();
    for (int& end : g_pipe) {
        close(end);
        end = -1;
    }
}

int Cancellation::exitCode() const {
    const int signal = g_signal.load();
    return signal == 0 ? static_cast<int>(kFailed) : kSignal + signal;
}

} // namespace gufo::cli
