#include "channel/child_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace gufo::channel {
namespace {

using namespace std::chrono_literals;
constexpr int kKillMilliseconds = 2000;

// Two connected descriptors that other programs started by this process do not inherit.
struct Pair {
    std::array<int, 2> ends{-1, -1};
    Pair() = default;
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    ~Pair() {
        for (const int end : ends) {
            if (end >= 0) {
                ::close(end);
            }
        }
    }
    [[nodiscard]] int take(std::size_t end) { return std::exchange(ends[end], -1); }
};

bool connect(Pair& sockets, Pair& pipe) {
#ifdef __linux__
    // Another thread may start a program between the creation of a descriptor and a later change of its flags.
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.ends.data()) == 0 &&
           ::pipe2(pipe.ends.data(), O_CLOEXEC | O_NONBLOCK) == 0;
#else
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.ends.data()) != 0 || ::pipe(pipe.ends.data()) != 0) {
        return false;
    }
    for (const int descriptor : {sockets.ends[0], sockets.ends[1], pipe.ends[0], pipe.ends[1]}) {
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    for (const int descriptor : pipe.ends) { // the child must not block because nobody reads its output
        ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    }
    return true;
#endif
}

// Duplicates a descriptor to a number that the child does not use, even if this process has closed its standard
// streams.
void moveUp(Pair& pair, std::size_t end) {
    const int moved = ::fcntl(pair.ends[end], F_DUPFD_CLOEXEC, ChildProcess::kSocket + 1);
    if (moved >= 0) {
        ::close(std::exchange(pair.ends[end], moved));
    }
}

// Returns an errno, 0 if the program was started.
int spawn(const std::filesystem::path& program, int socket, int output, pid_t& id) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, socket, ChildProcess::kSocket);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    std::string name = program.string();
    std::array<char*, 2> arguments{name.data(), nullptr};
    const int problem = ::posix_spawn(&id, name.c_str(), &actions, &attributes, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    return problem;
}

} // namespace

Result<ChildProcess> ChildProcess::start(const std::filesystem::path& program, std::size_t longest) {
    Pair sockets;
    Pair pipe;
    pid_t id = 0;
    if (!connect(sockets, pipe)) {
        return std::unexpected(systemError(errno, program));
    }
    moveUp(sockets, 1);
    moveUp(pipe, 1);
    if (const int problem = spawn(program, sockets.ends[1], pipe.ends[1], id); problem != 0) {
        return std::unexpected(systemError(problem, program));
    }
    return ChildProcess(id, Endpoint(sockets.take(0), longest), pipe.take(0));
}

ChildProcess::ChildProcess(pid_t id, Endpoint endpoint, int output)
    : m_id(id)
    , m_endpoint(std::move(endpoint))
    , m_pipe(output) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : m_id(std::exchange(other.m_id, 0))
    , m_endpoint(std::move(other.m_endpoint))
    , m_pipe(std::exchange(other.m_pipe, -1))
    , m_output(std::move(other.m_output))
    , m_end(other.m_end) {}

ChildProcess::~ChildProcess() {
    if (m_id != 0) {
        (void)finish(0);
    }
    if (m_pipe >= 0) {
        ::close(m_pipe);
    }
}

void ChildProcess::listen() {
    std::array<char, 4096> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): read() fills it
    for (ssize_t got = 0; (got = ::read(m_pipe, bytes.data(), bytes.size())) > 0;) {
        m_output.append(bytes.data(), static_cast<std::size_t>(got));
        if (m_output.size() > kKeptBytes) {
            m_output.erase(0, m_output.size() - kKeptBytes);
        }
    }
}

bool ChildProcess::hasEnded() {
    if (m_end) {
        return true;
    }
    int status = 0;
    const pid_t got = ::waitpid(m_id, &status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) {
        return false;
    }
    const bool bySignal = got > 0 && WIFSIGNALED(status);
    m_end = End{.bySignal = bySignal, .number = bySignal ? WTERMSIG(status) : WEXITSTATUS(status)};
    return true;
}

ChildProcess::End ChildProcess::finish(int milliseconds) {
    m_endpoint.close();
    const auto wait = [&](int maximum) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(maximum);
        while (!hasEnded() && std::chrono::steady_clock::now() < end) {
            std::this_thread::sleep_for(1ms);
        }
        return m_end.has_value();
    };
    if (!wait(milliseconds)) {
        ::kill(m_id, SIGKILL);
        if (!wait(kKillMilliseconds)) {
            // A driver keeps it in the kernel. It ends later, and a separate thread waits for that and reaps it.
            std::thread([id = m_id] { ::waitpid(id, nullptr, 0); }).detach();
            m_end = End{.bySignal = true, .number = SIGKILL};
        }
    }
    listen();
    return *m_end;
}

} // namespace gufo::channel
