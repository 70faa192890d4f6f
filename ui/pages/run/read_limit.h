// Measures what limits the speed at which an engine reads weights: the memory, unless the processor's caches hold what
// a token reads. It is measured once after an engine was loaded, at the end of an answer that was long enough.
//
// Threads: UI thread only; the measurement runs on the engine's thread.
#pragma once

#include "ui/run/chat_session.h"
#include "ui/run/run_engine.h"

namespace gufo::ui {

class ReadLimit : public QObject {
    Q_OBJECT

public:
    // The engine and the session must outlive this object.
    ReadLimit(RunEngine* engine, ChatSession* session, QObject* parent);

    void forget();                                                            // another engine is loaded
    void stop();                                                              // makes the engine free for an answer
    [[nodiscard]] double peak() const { return m_limit ? m_limit->peak : 0; } // bytes per second; 0: not known
    [[nodiscard]] bool isCached() const { return m_limit && m_limit->cached; }

signals:
    void measured();

private:
    struct Limit {
        double peak = 0;
        bool cached = false;
    };
    void measure();

    RunEngine* m_engine;
    ChatSession* m_session;
    std::optional<Limit> m_limit;
    bool m_measuring = false;
};

} // namespace gufo::ui
