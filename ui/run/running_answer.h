// One answer of an engine: reads its prompt, then generates tokens until something ends it. Signals are limited to the
// screen's refresh rate, however fast the engine is.
//
// Threads: UI thread only.
#pragma once

#include "base/error.h"
#include "inference/interface/responder.h"
#include "ui/run/run_engine.h"

#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::ui {

class Answer : public QObject {
    Q_OBJECT

public:
    // The engine must be loaded, able to respond and outlive this object.
    Answer(RunEngine* engine, inference::ResponseRequest request, QObject* parent = nullptr);
    ~Answer() override; // stops the answer

    void stop(); // finished() comes within one token
    [[nodiscard]] bool isFinished() const { return m_finished; }

    // The pieces received since the last call.
    [[nodiscard]] std::vector<inference::ResponsePiece> takePieces();
    // Number of bytes received that can be shown. Text that may begin a stop string is held back.
    [[nodiscard]] std::size_t shownBytes() const { return m_shown; }
    [[nodiscard]] const inference::ResponseFigures& figures() const { return m_figures; }
    // Valid once the prompt has been rendered.
    [[nodiscard]] const inference::PromptFacts& prompt() const { return m_prompt; }
    // What the engine has left out so far, because its context is full.
    [[nodiscard]] std::size_t leftOutMessages() const { return m_leftOutMessages; }
    [[nodiscard]] std::size_t leftOutTokens() const { return m_leftOutTokens; }
    // Valid after finished(): why the answer ended. Empty if it was stopped or failed.
    [[nodiscard]] std::optional<inference::StopReason> reason() const { return m_reason; }
    [[nodiscard]] const std::optional<text::TemplateProblem>& problem() const { return m_problem; }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; } // empty if it was stopped
    [[nodiscard]] std::size_t skippedEvents() const { return m_skippedEvents; } // of a server's stream
    // Saved states that could not be used.
    [[nodiscard]] const std::vector<Error>& refusedStates() const { return m_refusedStates; }

signals:
    void promptProgressed(quint64 done, quint64 total);
    void grown();    // takePieces() returns further pieces
    void finished(); // after the last grown()

private:
    struct Feed; // shared between the threads
    void collect();
    void finish(Result<inference::Response> response);

    RunEngine* m_engine;
    std::shared_ptr<Feed> m_feed;
    QTimer m_timer;
    std::vector<inference::ResponsePiece> m_pieces;
    std::size_t m_shown = 0;
    inference::ResponseFigures m_figures;
    inference::PromptFacts m_prompt;
    std::size_t m_leftOutMessages = 0;
    std::size_t m_leftOutTokens = 0;
    std::optional<inference::StopReason> m_reason;
    std::optional<text::TemplateProblem> m_problem;
    std::optional<Error> m_error;
    std::size_t m_skippedEvents = 0;
    std::vector<Error> m_refusedStates;
    bool m_finished = false;
};

} // namespace gufo::ui
