// A session of an engine in a process of its own. This object decides which tokens the session holds: before each
// evaluation, the process's state is brought back to them, whatever has happened to it in the meantime.
//
// Threads: as Session.
#pragma once

#include "inference/interface/session.h"
#include "inference/process/engine_process.h"

namespace gufo::inference {

class ProcessSession final : public Session {
public:
    // `loaded` is the process's reply to Load.
    ProcessSession(std::unique_ptr<EngineProcess> process, const channel::Loaded& loaded);

    [[nodiscard]] std::uint32_t context() const override { return m_context; }
    [[nodiscard]] std::uint32_t vocabulary() const override { return m_vocabulary; }
    [[nodiscard]] unsigned threads() const override { return m_threads; }
    [[nodiscard]] std::span<const TokenId> tokens() const override { return m_tokens; }
    // Further error of the members that return a Result: NotRunnable, whose argument says what the engine cannot do or
    // how its process ended.
    [[nodiscard]] Result<> evaluate(std::span<const TokenId> tokens, Logits which, const JobContext& job) override;
    [[nodiscard]] std::span<const float> logits(std::size_t row) const override;
    // All tokens are dropped where the state cannot go back. If the process is gone, the next evaluation says so.
    std::size_t truncate(std::size_t count) override;
    [[nodiscard]] Result<> shift(std::size_t keep, std::size_t discard, const JobContext& job) override;
    // Empty if the process is gone.
    [[nodiscard]] std::vector<std::byte> saveState() const override;
    [[nodiscard]] Result<> restoreState(std::span<const std::byte> state) override;
    [[nodiscard]] const SessionFigures& figures() const override { return m_figures; }

    [[nodiscard]] int processDescriptor() const override { return m_process->descriptor(); }
    [[nodiscard]] std::optional<Error> findProcessEnd() override { return m_process->findEnd(); }
    [[nodiscard]] pid_t processId() const { return m_process->id(); }

private:
    [[nodiscard]] Result<> checkTokens(std::span<const TokenId> tokens) const;
    [[nodiscard]] Result<> provideRows(std::size_t rows);
    // Evaluates tokens after the first `keep`. The process then holds exactly these tokens, whatever it held before.
    [[nodiscard]] Result<channel::Reply> request(std::size_t keep, std::span<const TokenId> tokens, Logits which,
                                                 const JobContext& job);

    std::unique_ptr<EngineProcess> m_process;
    std::uint32_t m_context;
    std::uint32_t m_vocabulary;
    unsigned m_threads;
    std::vector<TokenId> m_tokens;
    std::vector<float> m_rows;
    SessionFigures m_figures;
};

// Why the process has refused a request: Cancelled, InvalidArgument (StateUnusable), NotRunnable.
[[nodiscard]] Error errorOf(const channel::Failed& failed);

} // namespace gufo::inference
