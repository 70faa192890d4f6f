#include "ui/pages/run/token_inspector.h"

#include "ui/messages/engine_text.h"

namespace gufo::ui {

using inference::Feature;

TokenInspector::TokenInspector(ChatSession* session, EngineLoader* loader, Transcript* transcript, QWidget* page)
    : QObject(page)
    , m_session(session)
    , m_loader(loader)
    , m_transcript(transcript)
    , m_page(page)
    , m_card(new TokenCard(page)) {
    connect(transcript, &Transcript::tokenHovered, this, [this](TurnView* view, AnswerView* text, int token) {
        if (token < 0) {
            m_card->leave();
        } else {
            show(view, text, token);
        }
    });
    connect(transcript, &Transcript::tokenKeyed, this, &TokenInspector::show);
    connect(transcript, &Transcript::moved, m_card, &TokenCard::dismiss);
    connect(m_card, &TokenCard::dismissed, this, &TokenInspector::hideMark);
    connect(m_card, &TokenCard::candidateChosen, this, [this](quint32 id, const QString& text) {
        withToken([&](int turn, std::size_t token) { m_session->branch(turn, token, id, text); });
    });
    connect(m_card, &TokenCard::continueRequested, this,
            [this] { withToken([this](int turn, std::size_t token) { m_session->continueFrom(turn, token); }); });
    connect(m_card, &TokenCard::insideRequested, this, [this] {
        const auto position =
            m_turn ? m_session->positionOf(m_turn->turn(), static_cast<std::size_t>(m_token)) : std::nullopt;
        m_card->dismiss();
        if (position) {
            emit insideRequested(*position);
        }
    });
    connect(m_card, &TokenCard::anotherRequested, this,
            [this] { withToken([this](int turn, std::size_t token) { m_session->tryAnother(turn, token); }); });
}

void TokenInspector::show(TurnView* view, AnswerView* text, int token) {
    if (!m_session->tree().has(view->turn())) {
        return;
    }
    const Turn& turn = m_session->tree().turn(view->turn());
    const QRect place = text->tokenRect(token);
    if (token >= static_cast<int>(turn.tokens.size()) || place.isEmpty()) {
        return;
    }
    const TurnToken& shown = turn.tokens[static_cast<std::size_t>(token)];
    if (!shown.logProbability && shown.candidates.empty()) {
        return; // the engine reported nothing about the token
    }
    if (!text->visibleRegion().intersects(place)) {
        m_transcript->ensureVisible(0, text->mapTo(m_transcript->widget(), place.center()).y(), 0, 60);
    }
    hideMark();
    m_turn = view;
    m_text = text;
    m_token = token;
    text->setCurrentToken(token);
    connect(text, &AnswerView::cardKeyPressed, m_card, &TokenCard::pressKey, Qt::UniqueConnection);
    const auto missing = [this](Feature feature) {
        return m_loader->offers(feature) ? QString() : featureMissingTip(feature);
    };
    m_card->showToken(shown, turn.text.mid(shown.begin, shown.end - shown.begin),
                      QRect(text->mapTo(m_page, place.topLeft()), place.size()),
                      {.isFree = m_session->canAnswer(),
                       .cannotBranch = missing(Feature::Branching),
                       .cannotContinue = missing(Feature::Continuing),
                       .cannotLook = m_session->positionOf(turn.id, static_cast<std::size_t>(token))
                                         ? QString()
                                         : tr("Not for this token: which tokens were read before it is not known")});
}

void TokenInspector::hideMark() {
    if (m_text) {
        m_text->setCurrentToken(-1);
    }
}

void TokenInspector::withToken(const std::function<void(int turn, std::size_t token)>& act) {
    if (!m_turn || !m_session->canAnswer() || !m_session->tree().has(m_turn->turn())) {
        return;
    }
    const int turn = m_turn->turn();
    const auto token = static_cast<std::size_t>(m_token);
    m_card->dismiss();
    if (token < m_session->tree().turn(turn).tokens.size()) {
        act(turn, token);
    }
}

} // namespace gufo::ui

#include "moc_token_inspector.cpp"
