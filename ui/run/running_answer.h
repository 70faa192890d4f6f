// One answer that an engine gives: its prompt is read, then tokens come until something ends it. What has come is told
// in steps of a screen's refresh, however fast the engine is.
//
// Threads: of the UI thread.
#pragma once

#include "base/error.h"
#include "inference/grammar/grammar.h"
#include "inference/session/generation.h"
#include "ui/run/prompt_tokens.h"
#include "ui/run/run_engine.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::ui {

struct AnswerRequest {
    std::string prompt;           // UTF-8
    KnownText known{};            // what the prompt may begin with
    std::vector<TokenId> begun{}; // tokens of the answer that are there already: it goes on after them
    inference::GenerationSettings settings{};
    std::shared_ptr<const inference::Grammar> grammar{}; // null: any text
};

struct AnswerToken {
    inference::Choice choice;
    std::string piece; // whole characters; empty while one is incomplete
};

struct AnswerFigures {
    std::size_t promptTokens = 0; // all of the prompt
    std::size_t readTokens = 0;   // those that the session did not know
    double readSeconds = 0;
    std::size_t tokens = 0;
    double seconds = 0;           // since the prompt was read
    double evaluationSeconds = 0; // of these: in the engine
    std::uint64_t bytesRead = 0;  // weights and KV cache, in these
    std::size_t contextUsed = 0;

    [[nodiscard]] double promptPerSecond() const; // 0: nothing to tell
    [[nodiscard]] double tokensPerSecond() const; // likewise
    [[nodiscard]] double bytesPerSecond() const;  // likewise
};

class Answer : public QObject {
    Q_OBJECT

public:
    // The engine is loaded, with a tokenizer, and outlives this.
    Answer(RunEngine* engine, AnswerRequest request, QObject* parent = nullptr);
    ~Answer() override; // stops

    void stop(); // finished() comes within one token
    [[nodiscard]] bool isFinished() const { return m_finished; }

    // What came since the last call.
    [[nodiscard]] std::vector<AnswerToken> takeTokens();
    // Bytes of all pieces so far that can be shown: what may begin a stop text is held back.
    [[nodiscard]] std::size_t shownBytes() const { return m_shown; }
    [[nodiscard]] const AnswerFigures& figures() const { return m_figures; }
    // The prompt's tokens, once it has been read.
    [[nodiscard]] const std::vector<TokenId>& promptIds() const { return m_promptIds; }
    // After finished(): why it ended; nothing where it was stopped or failed.
    [[nodiscard]] std::optional<inference::StopReason> reason() const { return m_reason; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; } // not of a stop

signals:
    void promptProgressed(quint64 done, quint64 total);
    void grown();    // takeTokens() has some
    void finished(); // after the last grown()

private:
    struct Feed; // between the threads
    void collect();
    void finish(Result<> result);

    RunEngine* m_engine;
    std::shared_ptr<Feed> m_feed;
    QTimer m_timer;
    std::vector<AnswerToken> m_tokens;
    std::size_t m_shown = 0;
    AnswerFigures m_figures;
    std::vector<TokenId> m_promptIds;
    std::optional<inference::StopReason> m_reason;
    std::optional<Error> m_error;
    bool m_finished = false;
};

} // namespace gufo::ui
