// Shows the card of a token of an answer when it is pointed at or selected by keys, and does what the card offers.
#pragma once

#include "ui/pages/run/engine_loader.h"
#include "ui/pages/run/token_card.h"
#include "ui/pages/run/transcript.h"

#include <QPointer>

namespace gufo::ui {

class TokenInspector : public QObject {
    Q_OBJECT

public:
    // All must outlive this object. The card is a child of `page`, above the transcript.
    TokenInspector(ChatSession* session, EngineLoader* loader, Transcript* transcript, QWidget* page);

    [[nodiscard]] TokenCard* card() const { return m_card; }

signals:
    // What happens inside the model at a token of the session's known text.
    void insideRequested(std::size_t position);

private:
    void show(TurnView* view, AnswerView* text, int token);
    void hideMark();
    // Calls `act` with the turn and the token of the card, if they still exist and the engine is free.
    void withToken(const std::function<void(int turn, std::size_t token)>& act);

    ChatSession* m_session;
    EngineLoader* m_loader;
    Transcript* m_transcript;
    QWidget* m_page;
    TokenCard* m_card;
    QPointer<TurnView> m_turn;
    QPointer<AnswerView> m_text;
    int m_token = -1;
};

} // namespace gufo::ui
