#include "ui/run/chat_session.h"

#include "text/conversation/answer_parser.h"
#include "text/template/chat_templates.h"

#include <QRandomGenerator>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

TurnEnd endOf(inference::StopReason reason) {
    switch (reason) {
    case inference::StopReason::EndToken:
        return TurnEnd::EndToken;
    case inference::StopReason::StopText:
        return TurnEnd::StopText;
    case inference::StopReason::MostTokens:
        return TurnEnd::MostTokens;
    case inference::StopReason::ContextFull:
        return TurnEnd::ContextFull;
    case inference::StopReason::NothingAllowed:
        return TurnEnd::NothingAllowed;
    }
    return TurnEnd::None;
}

// The prompt's last word, where it begins a thought.
QString openingOf(const std::string& prompt) {
    if (!text::AnswerParser(prompt).isThinking()) {
        return {};
    }
    const QString end = QString::fromStdString(prompt).trimmed();
    return end.mid(std::max(end.lastIndexOf(u'<'), std::max(end.lastIndexOf(u'['), end.lastIndexOf(QChar(0x25C1)))));
}

std::vector<TokenId> idsOf(const std::vector<TurnToken>& tokens) {
    std::vector<TokenId> ids;
    for (const TurnToken& token : tokens) {
        ids.emplace_back(std::size_t{token.id});
    }
    return ids;
}

TurnToken turnToken(const inference::Choice& choice) {
    TurnToken token{.id = choice.token.value,
                    .logProbability = static_cast<float>(choice.logProbability),
                    .entropy = static_cast<float>(choice.entropy),
                    .kept = static_cast<int>(choice.kept)};
    for (const inference::Candidate& candidate : choice.candidates) {
        token.candidates.push_back({.id = candidate.token.value,
                                    .probability = static_cast<float>(candidate.probability),
                                    .cut = static_cast<int>(candidate.cut)});
    }
    return token;
}

} // namespace

ChatSession::ChatSession(RunEngine* engine, QObject* parent)
    : QObject(parent)
    , m_engine(engine) {
    connect(engine, &RunEngine::stateChanged, this, [this] {
        if (m_engine->state() == RunEngine::State::Unloaded) {
            m_known = {};
            m_figures = {};
        }
    });
}

ChatSession::~ChatSession() = default;

void ChatSession::setTree(ChatTree tree) {
    if (isBusy()) {
        giveUp(TurnEnd::Stopped);
    }
    m_tree = std::move(tree);
    emit pathChanged();
}

void ChatSession::setTemplate(std::shared_ptr<const Model> model, const QString& source) {
    if (source != m_source || model != m_model) {
        m_end.reset();
    }
    m_model = std::move(model);
    m_source = source;
}

void ChatSession::send(const QString& text) { say(m_tree.leaf(), TurnRole::User, text); }

void ChatSession::sendResult(const QString& text) { say(m_tree.leaf(), TurnRole::Tool, text); }

void ChatSession::edit(int id, const QString& text) { say(m_tree.turn(id).parent, m_tree.turn(id).role, text); }

// The model goes on once every tool that it has called has given its result.
void ChatSession::say(int parent, TurnRole role, const QString& text) {
    const int id = m_tree.add(parent, role, text);
    if (role == TurnRole::Tool && !m_tree.pendingCalls().isEmpty()) {
        emit pathChanged();
    } else {
        begin(id, {}, {});
    }
}

void ChatSession::regenerate(int id) { begin(m_tree.turn(id).parent, {}, {}); }

void ChatSession::branch(int id, std::size_t token, std::uint32_t instead) {
    const Turn& turn = m_tree.turn(id);
    std::vector<TurnToken> begun(turn.tokens.begin(), turn.tokens.begin() + static_cast<std::ptrdiff_t>(token));
    TurnToken taken = turn.tokens[token];
    taken.id = instead;
    const auto candidate = std::ranges::find(taken.candidates, instead, &TurnCandidate::id);
    taken.logProbability = candidate != taken.candidates.end() ? std::log(candidate->probability) : 0.0F;
    const QString text = turn.text.left(taken.begin);
    // Its text, in the middle of what is kept; tokens of one character may only make it together.
    text::StreamDecoder decoder(m_engine->facts()->tokenizer, {.control = false, .atStart = false});
    for (const TurnToken& before : begun) {
        (void)decoder.push(TokenId(std::size_t{before.id}));
    }
    const QString piece = QString::fromStdString(decoder.push(TokenId(std::size_t{instead})));
    taken.end = taken.begin + static_cast<int>(piece.size());
    begun.push_back(std::move(taken));
    begin(turn.parent, std::move(begun), text + piece);
}

void ChatSession::tryAnother(int id, std::size_t token) {
    const TurnToken& taken = m_tree.turn(id).tokens[token];
    // Those that could have been drawn; where there was only one, the others.
    for (const bool cut : {false, true}) {
        double sum = 0;
        for (const TurnCandidate& candidate : taken.candidates) {
            sum += candidate.id != taken.id && (candidate.cut != 0) == cut ? static_cast<double>(candidate.probability)
                                                                           : 0;
        }
        double left = sum * QRandomGenerator::global()->generateDouble();
        for (const TurnCandidate& candidate : taken.candidates) {
            if (candidate.id == taken.id || (candidate.cut != 0) != cut) {
                continue;
            }
            left -= static_cast<double>(candidate.probability);
            if (left <= 0) {
                branch(id, token, candidate.id);
                return;
            }
        }
    }
}

void ChatSession::answer(int id) { begin(id, {}, {}); }

void ChatSession::continueFrom(int id, std::size_t token) {
    const Turn& turn = m_tree.turn(id);
    const auto end = static_cast<std::ptrdiff_t>(token) + 1;
    begin(turn.parent, {turn.tokens.begin(), turn.tokens.begin() + end}, turn.text.left(turn.tokens[token].end));
}

void ChatSession::goOn(int id) { resume(id); }

void ChatSession::rewrite(int id, const QString& text) {
    const int made = m_tree.add(m_tree.turn(id).parent, TurnRole::Assistant, text);
    emit pathChanged();
    emit turnEnded(made);
}

void ChatSession::step(int id, int by) {
    if (m_tree.step(id, by)) {
        emit pathChanged();
    }
}

void ChatSession::remove(int id) {
    m_tree.remove(id);
    emit pathChanged();
}

void ChatSession::begin(int parent, std::vector<TurnToken> begun, const QString& text) {
    const int id = m_tree.add(parent, TurnRole::Assistant, text);
    m_tree.turn(id).tokens = std::move(begun);
    emit pathChanged();
    resume(id);
}

// The answer's tokens that are there stay, and more come after them.
void ChatSession::resume(int id) {
    m_answering = id;
    m_incomplete.clear();
    m_pieces.clear();
    m_whole = m_tree.turn(id).text;
    m_tree.turn(id).end = TurnEnd::None;
    emit busyChanged();
    if (m_tree.mode == ChatMode::Completion) {
        QString prompt;
        for (const int each : m_tree.path()) {
            prompt += each != id ? m_tree.turn(each).text : QString();
        }
        start(prompt);
    } else if (!m_end) {
        askForEnd();
    } else {
        render();
    }
}

void ChatSession::askForEnd() {
    m_renderer.render(text::answerEndRequest(m_model->metadata, m_source.toStdString()),
                      [this](const text::Rendering& rendering) {
                          m_end = m_engine->isLoaded() && m_engine->facts()->tokenizer
                                      ? text::answerEndOf(rendering, *m_engine->facts()->tokenizer)
                                      : text::AnswerEnd();
                          if (isBusy()) {
                              render();
                          }
                      });
}

std::vector<text::Message> ChatSession::messages() const {
    std::vector<text::Message> messages;
    if (!m_tree.system.trimmed().isEmpty()) {
        messages.push_back({.role = "system", .content = m_tree.system.toStdString()});
    }
    for (const int id : m_tree.path()) {
        if (id == m_answering) {
            break;
        }
        messages.push_back(messageOf(m_tree.turn(id), !m_tree.tools.isEmpty()));
    }
    return messages;
}

void ChatSession::render() {
    const std::string source = m_source.toStdString();
    text::ConversationOptions options{.tools = m_tree.tools.toStdString()};
    if (const auto name = text::thinkingVariable(source); m_tree.thinking && !name.empty()) {
        options.variables.emplace_back(name, *m_tree.thinking ? "true" : "false");
    }
    m_renderer.render(text::conversationRequest(m_model->metadata, source, messages(), options),
                      [this](const text::Rendering& rendering) {
                          if (!isBusy()) {
                              return;
                          }
                          if (!rendering.text) {
                              giveUp(TurnEnd::Failed);
                              emit templateFailed(rendering.error.value_or(text::TemplateProblem{}));
                              return;
                          }
                          start(*rendering.text);
                      });
}

void ChatSession::start(const QString& prompt) {
    if (!m_engine->isLoaded() || m_engine->facts()->tokenizer == nullptr) {
        giveUp(TurnEnd::Stopped);
        return;
    }
    m_prompt = prompt.toStdString();
    Turn& turn = m_tree.turn(m_answering);
    AnswerRequest request{.prompt = m_prompt,
                          .known = m_known,
                          .begun = idsOf(turn.tokens),
                          .settings = m_settings.generation,
                          .grammar = m_settings.grammar};
    if (m_tree.mode == ChatMode::Chat) {
        turn.opening = openingOf(m_prompt);
        if (m_end) {
            request.settings.ends = m_end->tokens;
            request.settings.stops.insert(request.settings.stops.end(), m_end->stops.begin(), m_end->stops.end());
        }
        request.settings.written = text::answerMarkers(*m_engine->facts()->tokenizer);
    }
    if (!m_settings.seedIsFixed) {
        constexpr quint32 kSeeds = 100'000'000; // what a field shows whole, and a person can copy
        request.settings.sampler.seed = QRandomGenerator::global()->bounded(1U, kSeeds);
    }
    turn.seed = request.settings.sampler.seed;
    m_answer = std::make_unique<Answer>(m_engine, std::move(request));
    connect(m_answer.get(), &Answer::promptProgressed, this, &ChatSession::promptProgressed);
    connect(m_answer.get(), &Answer::grown, this, [this] {
        take();
        emit turnGrown(m_answering);
    });
    connect(m_answer.get(), &Answer::finished, this, &ChatSession::finish);
}

void ChatSession::take() {
    Turn& turn = m_tree.turn(m_answering);
    for (AnswerToken& each : m_answer->takeTokens()) {
        TurnToken token = turnToken(each.choice);
        const QString piece = QString::fromStdString(each.piece);
        token.begin = static_cast<int>(m_whole.size());
        token.end = token.begin + static_cast<int>(piece.size());
        m_whole += piece;
        m_pieces += each.piece;
        if (piece.isEmpty()) {
            m_incomplete.push_back(turn.tokens.size());
        } else {
            const int first = piece[0].isHighSurrogate() ? 2 : 1;
            for (const std::size_t part : m_incomplete) {
                turn.tokens[part].begin = token.begin;
                turn.tokens[part].end = token.begin + first;
            }
            m_incomplete.clear();
        }
        turn.tokens.push_back(std::move(token));
    }
    m_figures = m_answer->figures();
    turn.tokensPerSecond = m_figures.tokensPerSecond();
    const std::size_t held = m_pieces.size() - std::min(m_pieces.size(), m_answer->shownBytes());
    const qsizetype hidden = QString::fromStdString(m_pieces.substr(m_pieces.size() - held)).size();
    turn.text = m_whole.left(m_whole.size() - hidden);
}

void ChatSession::finish() {
    take();
    Turn& turn = m_tree.turn(m_answering);
    const int id = m_answering;
    // What stop strings took away is not part of the answer.
    while (!turn.tokens.empty() && turn.tokens.back().begin >= turn.text.size() &&
           turn.tokens.back().end > turn.text.size()) {
        turn.tokens.pop_back();
    }
    for (auto token = turn.tokens.rbegin(); token != turn.tokens.rend() && token->end > turn.text.size(); ++token) {
        token->end = static_cast<int>(turn.text.size());
    }
    turn.end = m_answer->error() ? TurnEnd::Failed : m_answer->reason() ? endOf(*m_answer->reason()) : TurnEnd::Stopped;
    if (!m_answer->promptIds().empty()) {
        // The template will write the answer without the white space around it, and perhaps without its thoughts.
        const std::string content =
            m_tree.mode == ChatMode::Chat ? messageOf(turn, !m_tree.tools.isEmpty()).content : turn.text.toStdString();
        m_known = {.text = m_prompt + content, .ids = m_answer->promptIds()};
        const auto ids = idsOf(turn.tokens);
        m_known.ids.insert(m_known.ids.end(), ids.begin(), ids.end());
    }
    const std::optional<Error> error = m_answer->error();
    m_answer.release()->deleteLater(); // it is calling
    m_answering = -1;
    emit turnEnded(id);
    emit busyChanged();
    if (error) {
        emit failed(*error);
    }
}

void ChatSession::giveUp(TurnEnd end) {
    m_renderer.cancel();
    if (m_answer != nullptr) {
        m_answer->disconnect(this);
        m_answer->stop();
        m_answer.release()->deleteLater();
        m_known = {};
    }
    const int id = std::exchange(m_answering, -1);
    m_tree.turn(id).end = end;
    emit turnEnded(id);
    emit busyChanged();
}

void ChatSession::stop() {
    if (m_answer != nullptr) {
        m_answer->stop();
    } else if (isBusy()) {
        giveUp(TurnEnd::Stopped);
    }
}

} // namespace gufo::ui
