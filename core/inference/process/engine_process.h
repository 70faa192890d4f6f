// The process of another engine, and the conversation with it (channel/message.h). However the process behaves, no call
// waits for it indefinitely: a stop request ends each call within 100 ms, and a process that is silent for half a
// minute, breaks the protocol or dies is abandoned. The last lines that it wrote are then part of the error.
//
// Thread contract: belongs to one thread at a time. The destructor ends the process, which takes milliseconds.
#pragma once

#include "base/job_context.h"
#include "channel/child_process.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace gufo::inference {

class EngineProcess {
public:
    // The waits that tests shorten.
    struct Patience {
        std::chrono::milliseconds start{20'000};   // until Hello, on a busy machine
        std::chrono::milliseconds ping{5'000};     // of silence, until a Ping is sent
        std::chrono::milliseconds silence{30'000}; // until it counts as dead
        std::chrono::milliseconds stop{30'000};    // after a cancel, until the next request abandons the process
    };

    // Starts the program, and waits until it says that its library can be used. Errors: NotSupported (args: why the
    // engine is not available, Detail::EngineNotInstalled for an empty path), NotRunnable, Cancelled, the errors of
    // ChildProcess::start().
    [[nodiscard]] static Result<std::unique_ptr<EngineProcess>> start(const std::filesystem::path& program,
                                                                      const JobContext& job, const Patience& patience);
    [[nodiscard]] static Result<std::unique_ptr<EngineProcess>> start(const std::filesystem::path& program,
                                                                      const JobContext& job);

    [[nodiscard]] const std::string& version() const { return m_version; } // of its library
    [[nodiscard]] pid_t id() const { return m_child.id(); }
    // The connection, which becomes readable when the process ends.
    [[nodiscard]] int descriptor() { return m_child.endpoint().socket(); }

    // Receives the replies before the last one. Returns false if a reply breaks the protocol.
    using Take = std::function<bool(channel::Reply&)>;
    // Sends a request, and returns its last reply: Loaded, Done or Failed. After a stop request, the process is asked
    // to cancel; if it does not confirm that at once, the next call waits for that. Errors: Cancelled; NotRunnable if
    // the process is gone (args: Detail::EngineKilled, EngineExited, EngineSilent, EngineStuck or
    // EngineProtocolBroken).
    [[nodiscard]] Result<channel::Reply> ask(const channel::Request& request, const Take& take, const JobContext& job);
    // The same for a state, whose parts follow the request. It cannot be stopped.
    [[nodiscard]] Result<channel::Reply> askWithState(const channel::RestoreState& request,
                                                      std::span<const std::byte> state);
    // Between requests: reads what the process has sent, without waiting for more. Returns NotRunnable, like all later
    // calls, if it is gone or has sent a message that nobody asked for.
    [[nodiscard]] std::optional<Error> findEnd();
    // Ends the process, because a message from it violates the protocol. Returns NotRunnable, like all later calls.
    Error endForBrokenProtocol();

private:
    using Clock = std::chrono::steady_clock;
    EngineProcess(channel::ChildProcess child, const Patience& patience);

    [[nodiscard]] Result<> greet(const JobContext& job);
    [[nodiscard]] Result<> send(std::span<const std::byte> message, const JobContext& job);
    // Tells the process to cancel, and returns whether to wait for its confirmation.
    [[nodiscard]] bool passOnStop();
    // Waits for the next message other than Pong. Empty: stopped. After `until`, the process counts as stuck.
    [[nodiscard]] Result<std::optional<channel::Reply>> next(const JobContext& job, Clock::time_point until);
    [[nodiscard]] Result<channel::Reply> last(const Take& take, const JobContext& job, Clock::time_point until);
    // Waits for the last reply to a cancelled request.
    [[nodiscard]] Result<> settle(const JobContext& job);
    // Ends the process. Without a reason, how it ended is the reason.
    using Problem = std::pair<Detail, Arguments>; // the last lines that the process wrote are added
    Error die(std::optional<Problem> why);

    channel::ChildProcess m_child;
    Patience m_patience;
    std::string m_version;
    std::optional<Error> m_dead;
    bool m_owes = false;                          // the last reply to a cancelled request has not come yet
    std::optional<Clock::time_point> m_cancelled; // when a stop request was passed on
};

} // namespace gufo::inference
