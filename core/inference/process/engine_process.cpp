#include "inference/process/engine_process.h"

#include "base/detail.h"

#include <algorithm>
#include <utility>

namespace gufo::inference {
namespace {

using namespace std::chrono_literals;
constexpr auto kConfirmation = 50ms;  // for a process to confirm a cancel
constexpr int kEndMilliseconds = 500; // for a process that has closed its connection to end
constexpr std::size_t kMaxLines = 6;

template<typename... Each>
struct Overloaded : Each... {
    using Each::operator()...;
};

std::string lastLines(std::string_view output) {
    while (output.ends_with('\n')) {
        output.remove_suffix(1);
    }
    std::size_t begin = output.size();
    for (std::size_t lines = 0; lines < kMaxLines && begin != 0; ++lines) {
        const std::size_t end = output.rfind('\n', begin - 1);
        begin = end == std::string_view::npos ? 0 : end;
    }
    output.remove_prefix(begin);
    return std::string(output.starts_with('\n') ? output.substr(1) : output);
}

// Whether nothing else follows in reply to the same request.
bool isLast(const channel::Reply& reply) {
    return std::holds_alternative<channel::Loaded>(reply) || std::holds_alternative<channel::Done>(reply) ||
           std::holds_alternative<channel::Failed>(reply);
}

const channel::Endpoint::KeepWaiting kOnce = [] { return false; }; // does not wait

long long secondsOf(std::chrono::milliseconds time) { return time.count() / 1000; }

Argument refusal(const channel::Refused& refused) {
    using channel::Refusal;
    Arguments args;
    for (const std::string& detail : refused.details) {
        args.emplace_back(detail);
    }
    const auto made = [&](Detail detail, std::size_t count) {
        args.resize(count, Argument(std::string()));
        return Argument(detail, args);
    };
    switch (refused.why) {
    case Refusal::UnknownVersion:
        return made(Detail::EngineVersionUnknown, 2);
    case Refusal::NoSymbols:
        return made(Detail::EngineSymbolsMissing, 2);
    case Refusal::OtherLayout:
        return made(Detail::EngineLayoutDiffers, 4);
    case Refusal::NoLibrary:
        break;
    }
    return made(Detail::EngineLibraryMissing, 1);
}

} // namespace

EngineProcess::EngineProcess(channel::ChildProcess child, const Patience& patience)
    : m_child(std::move(child))
    , m_patience(patience) {}

Result<std::unique_ptr<EngineProcess>> EngineProcess::start(const std::filesystem::path& program,
                                                            const JobContext& job) {
    return start(program, job, {});
}

Result<std::unique_ptr<EngineProcess>> EngineProcess::start(const std::filesystem::path& program, const JobContext& job,
                                                            const Patience& patience) {
    if (program.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::EngineNotInstalled});
    }
    auto child = GUFO_TRY(channel::ChildProcess::start(program));
    std::unique_ptr<EngineProcess> process(new EngineProcess(std::move(child), patience));
    GUFO_TRY(process->greet(job));
    return process;
}

Result<> EngineProcess::greet(const JobContext& job) {
    const auto silence = std::exchange(m_patience.silence, m_patience.start);
    auto answered = next(job, Clock::time_point::max());
    m_patience.silence = silence;
    auto reply = GUFO_TRY(std::move(answered));
    if (!reply) {
        return fail(ErrorCode::Cancelled);
    }
    return std::visit(Overloaded{[this](channel::Hello& hello) -> Result<> {
                                     if (hello.protocol != channel::kProtocol) {
                                         return fail(ErrorCode::NotSupported, {}, {Detail::EngineOfOtherBuild});
                                     }
                                     m_version = std::move(hello.version);
                                     return {};
                                 },
                                 [](const channel::Refused& refused) -> Result<> {
                                     return fail(ErrorCode::NotSupported, {}, {refusal(refused)});
                                 },
                                 [this](const auto&) -> Result<> { return std::unexpected(endForBrokenProtocol()); }},
                      *reply);
}

Error EngineProcess::endForBrokenProtocol() { return die(Problem{Detail::EngineProtocolBroken, {}}); }

Error EngineProcess::die(std::optional<Problem> why) {
    if (!m_dead) {
        const auto end = m_child.finish(why ? 0 : kEndMilliseconds);
        if (!why) {
            why = Problem{end.bySignal ? Detail::EngineKilled : Detail::EngineExited, {end.number}};
        }
        why->second.emplace_back(lastLines(m_child.lastOutput()));
        m_dead = Error{ErrorCode::NotRunnable, {}, {}, {Argument(why->first, std::move(why->second))}, 0};
    }
    return *m_dead;
}

Result<> EngineProcess::send(std::span<const std::byte> message, const JobContext& job) {
    const auto begun = Clock::now();
    const bool sent = m_child.endpoint().send(message, [&] {
        m_child.listen();
        return Clock::now() - begun < m_patience.silence && !job.stopRequested();
    });
    if (sent) {
        return {};
    }
    const auto waited = Clock::now() - begun;
    if (job.stopRequested() || waited >= m_patience.silence) {
        // The process does not read. A part of the message may have been sent, so no other message can follow.
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(waited);
        const Error error = die(Problem{Detail::EngineSilent, {seconds.count()}});
        return job.stopRequested() ? fail(ErrorCode::Cancelled) : std::unexpected(error);
    }
    return std::unexpected(die({}));
}

bool EngineProcess::passOnStop() {
    if (m_cancelled) {
        return Clock::now() - *m_cancelled < kConfirmation;
    }
    m_cancelled = Clock::now();
    const bool isGreeted = !m_version.empty();
    return isGreeted && m_child.endpoint().send(channel::bytesOf(channel::Request(channel::Cancel())), kOnce);
}

Result<std::optional<channel::Reply>> EngineProcess::next(const JobContext& job, Clock::time_point until) {
    auto heard = Clock::now();
    bool asked = m_version.empty(); // it answers nothing before it has greeted
    std::optional<Problem> problem;
    const auto keepWaiting = [&] {
        m_child.listen();
        if (job.stopRequested()) {
            return passOnStop();
        }
        const auto now = Clock::now();
        if (now - heard > m_patience.silence) {
            problem = Problem{Detail::EngineSilent, {secondsOf(m_patience.silence)}};
        } else if (now > until) {
            problem = Problem{Detail::EngineStuck, {secondsOf(m_patience.stop)}};
        } else if (!asked && now - heard > m_patience.ping) {
            asked = true; // if this cannot be sent, the process remains silent
            (void)m_child.endpoint().send(channel::bytesOf(channel::Request(channel::Ping())), kOnce);
        }
        return !problem;
    };
    for (;;) {
        using Got = channel::Endpoint::Got;
        // Also when messages come so fast that there is never a wait for one.
        const Got got = keepWaiting() ? m_child.endpoint().receive(keepWaiting) : Got::Nothing;
        if (got == Got::Nothing && !problem) {
            return std::optional<channel::Reply>();
        }
        if (got == Got::Nothing || got == Got::Closed) {
            return std::unexpected(die(std::move(problem)));
        }
        auto reply = got == Got::Message ? channel::readReply(m_child.endpoint().body())
                                         : std::unexpected(channel::Breach::TooLong);
        if (!reply) {
            return std::unexpected(endForBrokenProtocol());
        }
        heard = Clock::now();
        asked = m_version.empty();
        if (!std::holds_alternative<channel::Pong>(*reply)) {
            return std::optional(std::move(*reply));
        }
    }
}

Result<channel::Reply> EngineProcess::last(const Take& take, const JobContext& job, Clock::time_point until) {
    for (;;) {
        auto reply = GUFO_TRY(next(job, until));
        m_owes = !reply;
        if (m_owes) {
            return fail(ErrorCode::Cancelled);
        }
        channel::Reply& message = *reply;
        if (isLast(message)) {
            return std::move(message);
        }
        if (!take(message)) {
            return std::unexpected(endForBrokenProtocol());
        }
    }
}

std::optional<Error> EngineProcess::findEnd() {
    using Got = channel::Endpoint::Got;
    while (!m_dead) {
        m_child.listen();
        const Got got = m_child.endpoint().receive(kOnce);
        if (got == Got::Nothing) {
            return std::nullopt;
        }
        if (got == Got::Closed) {
            return die({});
        }
        const auto reply = got == Got::Message ? channel::readReply(m_child.endpoint().body())
                                               : std::unexpected(channel::Breach::TooLong);
        const bool isPong = reply && std::holds_alternative<channel::Pong>(*reply);
        if (!reply || (!m_owes && !isPong)) {
            return endForBrokenProtocol();
        }
        m_owes = m_owes && !isLast(*reply);
    }
    return m_dead;
}

Result<> EngineProcess::settle(const JobContext& job) {
    if (m_dead) {
        return std::unexpected(*m_dead);
    }
    if (m_owes) {
        const auto all = [](const channel::Reply&) { return true; };
        GUFO_TRY(last(all, job, Clock::now() + m_patience.stop));
    }
    m_cancelled.reset();
    return job.stopRequested() ? fail(ErrorCode::Cancelled) : Result<>();
}

Result<channel::Reply> EngineProcess::ask(const channel::Request& request, const Take& take, const JobContext& job) {
    GUFO_TRY(settle(job));
    GUFO_TRY(send(channel::bytesOf(request), job));
    return last(take, job, Clock::time_point::max());
}

Result<channel::Reply> EngineProcess::askWithState(const channel::RestoreState& request,
                                                   std::span<const std::byte> state) {
    GUFO_TRY(settle({}));
    auto sent = send(channel::bytesOf(channel::Request(request)), {});
    while (sent && !state.empty()) {
        const auto part = state.first(std::min(state.size(), channel::kStatePart));
        sent = send(channel::bytesOf(channel::Request(channel::StatePart{{part.begin(), part.end()}})), {});
        state = state.subspan(part.size());
    }
    GUFO_TRY(std::move(sent));
    return last([](const channel::Reply&) { return false; }, {}, Clock::time_point::max());
}

} // namespace gufo::inference
