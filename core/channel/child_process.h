// A program that this process starts and speaks with over a socket, which is its descriptor kSocket. The last lines of
// its standard streams are kept, to be shown if it dies. The streams are always read, so the program never blocks on
// writing.
//
// Thread contract: an object belongs to one thread at a time.
#pragma once

#include "base/error.h"
#include "channel/endpoint.h"

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

namespace gufo::channel {

class ChildProcess {
public:
    static constexpr int kSocket = 3;
    static constexpr std::size_t kKeptBytes = 4096; // the end of its output

    // How a process ended: by a signal, or by itself with a code.
    struct End {
        bool bySignal = false;
        int number = 0;
    };

    // `longest`: bytes of a message that is accepted from it. Errors: FileNotFound, PermissionDenied, ReadFailed, each
    // with the program as its file.
    [[nodiscard]] static Result<ChildProcess> start(const std::filesystem::path& program,
                                                    std::size_t longest = kLongestMessage);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&&) = delete;
    // Kills the process and waits for its end, which takes milliseconds unless a driver keeps it.
    ~ChildProcess();

    [[nodiscard]] Endpoint& endpoint() { return m_endpoint; }
    [[nodiscard]] pid_t id() const { return m_id; }
    // Reads the output of the process. It must be called from time to time, because output that does not fit into the
    // pipe is lost.
    void listen();
    // Its last lines, in UTF-8 as far as the process writes that.
    [[nodiscard]] const std::string& lastOutput() const { return m_output; }
    // Closes the connection, waits at most this long for the process to end, and then kills it.
    [[nodiscard]] End finish(int milliseconds);

private:
    ChildProcess(pid_t id, Endpoint endpoint, int output);
    [[nodiscard]] bool hasEnded();

    pid_t m_id;
    Endpoint m_endpoint;
    int m_pipe;
    std::string m_output;
    std::optional<End> m_end;
};

} // namespace gufo::channel
