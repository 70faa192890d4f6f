#include "ui/run/chat_session.h"

#include "text/conversation/answer_parser.h"
#include "text/template/chat_templates.h"
#include "ui/run/sampler_presets.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace gufo::ui {
namespace {

TurnEnd endOf(inference::StopReason reason) {
    switch (reason) {
    case inference::StopReason::EndToken:
        return TurnEnd::EndToken;
    case inference::StopReason::StopText:
        return TurnEnd::StopText;
    case inference::StopReason::MaxTokens:
        return TurnEnd::MaxTokens;
    case inference::StopReason::ContextFull:
        return TurnEnd::ContextFull;
    case inference::StopReason::NothingAllowed:
        return TurnEnd::NothingAllowed;
    case inference::StopReason::ContentFilter:
        return TurnEnd::ContentFilter;
    case inference::StopReason::Refusal:
        return TurnEnd::Refusal;
    }
    return TurnEnd::None;
}

// The end of the prompt, if it opens a thinking section or the text for the user.
QString openingOf(const inference::PromptFacts& prompt) {
    const text::AnswerParser parser =
        prompt.format != nullptr ? text::AnswerParser(prompt.format, prompt.text) : text::AnswerParser(prompt.text);
    constexpr qsizetype kLongest = 64; // no marker is longer
    return parser.isThinking() || parser.isContent() ? QString::fromStdString(prompt.text).trimmed().right(kLongest)
                                                     : QString();
}

// The token ids. Empty if the engine did not report one of them.
std::vector<TokenId> idsOf(std::span<const TurnToken> tokens) {
    std::vector<TokenId> ids;
    for (const TurnToken& token : tokens) {
        if (token.id == kNoToken) {
            return {};
        }
        ids.emplace_back(std::size_t{token.id});
    }
    return ids;
}

std::uint32_t turnId(std::optional<TokenId> token) { return token ? token->value : kNoToken; }

// Candidates without an id are compared by their text.
bool isTaken(const Turn& turn, const TurnToken& token, const TurnCandidate& candidate) {
    return candidate.id != kNoToken ? candidate.id == token.id
                                    : candidate.text == turn.text.mid(token.begin, token.end - token.begin);
}

TurnToken turnToken(const inference::ResponsePiece& piece) {
    TurnToken token{.id = turnId(piece.token),
                    .entropy = static_cast<float>(piece.entropy),
                    .kept = static_cast<int>(piece.kept),
                    .afterSamplers = piece.afterSamplers};
    if (piece.logProbability) {
        token.logProbability = static_cast<float>(*piece.logProbability);
    }
    for (const inference::ResponseCandidate& candidate : piece.candidates) {
        token.candidates.push_back({.id = turnId(candidate.token),
                                    .probability = static_cast<float>(candidate.probability),
                                    .cut = static_cast<int>(candidate.cut),
                                    .text = candidate.token ? QString() : QString::fromStdString(candidate.text)});
    }
    return token;
}

// Where the tokens begin that the model has generated at the end of a text; its length if the user has written the end.
qsizetype generatedFrom(const Turn& turn) {
    qsizetype from = turn.text.size();
    for (auto token = turn.tokens.rbegin(); token != turn.tokens.rend() && token->end >= from; ++token) {
        from = std::min<qsizetype>(from, token->begin);
    }
    return from;
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

bool ChatSession::suits() const {
    return m_engine->isLoaded() && m_engine->facts()->canRespond() &&
           (m_tree.mode == ChatMode::Chat || offers(inference::Feature::Completion));
}

void ChatSession::setTree(ChatTree tree) {
    if (isBusy()) {
        abandonAnswer(TurnEnd::Stopped);
    }
    m_tree = std::move(tree);
    if (m_tree.mode == ChatMode::Completion) {
        m_tree.joinTurns();
    }
    emit pathChanged();
}

void ChatSession::setMode(ChatMode mode) {
    if (mode == m_tree.mode) {
        return;
    }
    m_tree.mode = mode;
    if (mode == ChatMode::Completion) {
        m_tree.joinTurns();
    }
    emit pathChanged();
}

void ChatSession::setTemplate(std::shared_ptr<const Model> model, const QString& source, bool byEngine) {
    m_model = std::move(model);
    m_source = source;
    m_byEngine = byEngine;
}

bool ChatSession::isUnanswered() const {
    const int leaf = m_tree.leaf();
    return m_tree.mode == ChatMode::Chat && leaf >= 0 && m_tree.turn(leaf).role == TurnRole::User && !isBusy();
}

// A question without an answer must not precede the next one: that takes its place.
void ChatSession::send(const QString& text) {
    const int leaf = m_tree.leaf();
    say(isUnanswered() ? m_tree.turn(leaf).parent : leaf, TurnRole::User, text);
}

void ChatSession::sendResult(const QString& text) { say(m_tree.leaf(), TurnRole::Tool, text); }

void ChatSession::edit(int id, const QString& text) { say(m_tree.turn(id).parent, m_tree.turn(id).role, text); }

// The model continues once every tool that it called has returned a result.
void ChatSession::say(int parent, TurnRole role, const QString& text) {
    const int id = m_tree.add(parent, role, text);
    if (role == TurnRole::Tool && !m_tree.pendingCalls().isEmpty()) {
        emit pathChanged();
    } else {
        begin(id, {}, {});
    }
}

void ChatSession::regenerate(int id) {
    const Turn& turn = m_tree.turn(id);
    if (m_tree.mode == ChatMode::Chat) {
        begin(turn.parent, {}, {});
        return;
    }
    // Of a text, what the model has generated at its end.
    const qsizetype kept = generatedFrom(turn);
    std::vector<TurnToken> before;
    std::ranges::copy_if(turn.tokens, std::back_inserter(before),
                         [&](const TurnToken& token) { return token.end <= kept && token.begin < kept; });
    begin(turn.parent, std::move(before), turn.text.left(kept));
}

void ChatSession::branch(int id, std::size_t token, std::uint32_t instead, const QString& text) {
    const Turn& turn = m_tree.turn(id);
    std::vector<TurnToken> begun(turn.tokens.begin(), turn.tokens.begin() + static_cast<std::ptrdiff_t>(token));
    TurnToken taken = turn.tokens[token];
    taken.id = instead;
    const auto candidate = std::ranges::find_if(
        taken.candidates, [&](const TurnCandidate& each) { return each.id == instead && each.text == text; });
    taken.logProbability =
        candidate != taken.candidates.end() ? std::optional(std::log(candidate->probability)) : std::nullopt;
    QString piece = text;
    if (instead != kNoToken && m_engine->facts()->tokenizer != nullptr) {
        // Decodes the token after the tokens that are kept, because several tokens may make up one character.
        text::StreamDecoder decoder(m_engine->facts()->tokenizer, {.control = false, .atStart = false});
        for (const TurnToken& before : begun) {
            (void)decoder.push(TokenId(std::size_t{before.id}));
        }
        piece = QString::fromStdString(decoder.push(TokenId(std::size_t{instead})));
    }
    const QString kept = turn.text.left(taken.begin);
    taken.end = taken.begin + static_cast<int>(piece.size());
    begun.push_back(std::move(taken));
    begin(turn.parent, std::move(begun), kept + piece);
}

void ChatSession::tryAnother(int id, std::size_t token) {
    const TurnToken& taken = m_tree.turn(id).tokens[token];
    // Prefers candidates that could have been drawn; if there was only one, takes the others.
    for (const bool cut : {false, true}) {
        const auto counts = [&](const TurnCandidate& candidate) {
            return !isTaken(m_tree.turn(id), taken, candidate) && (candidate.cut != 0) == cut;
        };
        double sum = 0;
        for (const TurnCandidate& candidate : taken.candidates) {
            sum += counts(candidate) ? static_cast<double>(candidate.probability) : 0;
        }
        double left = sum * m_random.generateDouble();
        for (const TurnCandidate& candidate : taken.candidates) {
            if (!counts(candidate)) {
                continue;
            }
            left -= static_cast<double>(candidate.probability);
            if (left <= 0) {
                branch(id, token, candidate.id, candidate.text);
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

void ChatSession::continueAnswer(int id) { resume(id); }

void ChatSession::complete() {
    if (m_tree.leaf() >= 0) {
        resume(m_tree.leaf());
    }
}

void ChatSession::setText(const QString& text) {
    if (isBusy() || m_tree.mode != ChatMode::Completion) {
        return;
    }
    const int id = m_tree.leaf();
    if (id < 0) {
        m_tree.add(-1, TurnRole::Assistant, text);
        emit pathChanged();
        return;
    }
    const QString before = m_tree.turn(id).text;
    if (text == before) {
        return;
    }
    const auto change = std::ranges::mismatch(before, text).in1 - before.begin();
    const bool isLonger = change == before.size();
    std::vector<TurnToken> kept = m_tree.turn(id).tokens;
    std::erase_if(kept, [&](const TurnToken& token) { return token.end > change; });
    const bool isAnother = !isLonger && m_tree.turn(id).end != TurnEnd::None; // the model has written the other one
    const int shown = isAnother ? m_tree.add(-1, TurnRole::Assistant) : id;
    Turn& turn = m_tree.turn(shown);
    turn.text = text;
    turn.tokens = std::move(kept);
    if (isAnother) {
        emit pathChanged();
    } else {
        emit textEdited(shown);
    }
}

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
    const ChatTree before = m_tree;
    m_tree.remove(id);
    emit pathChanged();
    emit removed(before);
}

void ChatSession::begin(int parent, std::vector<TurnToken> begun, const QString& text) {
    const int id = m_tree.add(parent, TurnRole::Assistant, text);
    m_tree.turn(id).tokens = std::move(begun);
    emit pathChanged();
    resume(id);
}

// Keeps the answer's tokens and appends to them.
void ChatSession::resume(int id) {
    m_answering = id;
    m_incomplete.clear();
    m_pieces.clear();
    Turn& turn = m_tree.turn(id);
    m_begun = turn.tokens.size();
    m_whole = turn.text;
    turn.end = TurnEnd::None;
    emit busyChanged(); // a listener may update the template
    inference::ResponseRequest request = this->request();
    if (!m_settings.seedIsFixed) {
        constexpr quint32 kSeeds = 100'000'000; // short enough for a field to show and for a user to copy
        request.settings.sampler.seed = m_random.bounded(1U, kSeeds);
    }
    turn.seed = request.settings.sampler.seed;
    turn.sampler = saveSampler(request.settings.sampler);
    m_answer = std::make_unique<Answer>(m_engine, std::move(request));
    connect(m_answer.get(), &Answer::promptProgressed, this, &ChatSession::promptProgressed);
    connect(m_answer.get(), &Answer::grown, this, [this] {
        take();
        emit turnGrown(m_answering);
    });
    connect(m_answer.get(), &Answer::finished, this, &ChatSession::finish);
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
        messages.push_back(messageOf(m_tree.turn(id), m_tree.tools));
    }
    return messages;
}

inference::ResponseRequest ChatSession::request() const {
    const Turn& turn = m_tree.turn(m_answering);
    inference::ResponseRequest request{.known = m_known,
                                       .settings = m_settings.generation,
                                       .grammar = m_settings.grammar,
                                       .drafter = m_settings.drafter,
                                       .mtpDrafts = m_settings.mtpDrafts,
                                       .afterSamplers =
                                           m_settings.afterSamplers && offers(inference::Feature::AfterSamplers),
                                       .literalContent = m_settings.literalContent,
                                       .conversation = m_conversation.toStdString()};
    const qsizetype begun = beginOfPrompted(turn);
    if (m_tree.mode == ChatMode::Completion) {
        request.prompt = turn.text.left(begun).toStdString();
    } else {
        inference::ChatPrompt chat{.messages = messages(),
                                   .options = {.tools = m_tree.tools.toStdString()},
                                   .chatTemplate = m_source.toStdString(),
                                   .model = m_model,
                                   .byEngine = m_byEngine && offers(inference::Feature::EngineTemplate)};
        if (const auto name = text::thinkingVariable(chat.chatTemplate); m_tree.thinking && !name.empty()) {
            chat.options.variables.emplace_back(name, *m_tree.thinking ? "true" : "false");
        }
        request.prompt = std::move(chat);
    }
    request.begun.text = turn.text.mid(begun).toStdString();
    const auto first = std::ranges::find_if(turn.tokens, [&](const TurnToken& token) { return token.begin >= begun; });
    if (first != turn.tokens.end() && first->begin == begun) { // not if the user wrote the beginning of the answer
        request.begun.tokens = idsOf({first, turn.tokens.end()});
    }
    return request;
}

// Where what the model has begun follows on the prompt. An engine that cannot continue an answer gets the whole text
// of a completion as its prompt.
qsizetype ChatSession::beginOfPrompted(const Turn& turn) const {
    return m_tree.mode == ChatMode::Chat            ? 0
           : offers(inference::Feature::Continuing) ? generatedFrom(turn)
                                                    : turn.text.size();
}

void ChatSession::takePiece(const inference::ResponsePiece& piece) {
    Turn& turn = m_tree.turn(m_answering);
    TurnToken token = turnToken(piece);
    const QString text = QString::fromStdString(piece.bytes);
    token.begin = static_cast<int>(m_whole.size());
    token.end = token.begin + static_cast<int>(text.size());
    m_whole += text;
    m_pieces += piece.bytes;
    if (token.id == kNoToken && !token.logProbability && token.candidates.empty()) {
        return; // the engine reports nothing about it but its text
    }
    if (text.isEmpty()) {
        m_incomplete.push_back(turn.tokens.size());
    } else {
        const int first = text[0].isHighSurrogate() ? 2 : 1;
        for (const std::size_t part : m_incomplete) {
            turn.tokens[part].begin = token.begin;
            turn.tokens[part].end = token.begin + first;
        }
        m_incomplete.clear();
    }
    turn.tokens.push_back(std::move(token));
}

void ChatSession::take() {
    Turn& turn = m_tree.turn(m_answering);
    if (m_tree.mode == ChatMode::Chat && !m_answer->prompt().text.empty()) {
        turn.opening = openingOf(m_answer->prompt());
        turn.format = m_answer->prompt().format;
    }
    for (const inference::ResponsePiece& piece : m_answer->takePieces()) {
        takePiece(piece);
    }
    const std::size_t used = m_figures.contextUsed;
    m_figures = m_answer->figures();
    if (m_figures.promptTokens == 0) { // there is no prompt, so the engine still holds what it held before
        m_figures.contextUsed = used;
    }
    turn.leftOutMessages = m_answer->leftOutMessages();
    turn.leftOutTokens = m_answer->leftOutTokens();
    turn.skippedEvents = m_answer->skippedEvents();
    turn.tokensPerSecond = m_figures.tokensPerSecond();
    const std::size_t held = m_pieces.size() - std::min(m_pieces.size(), m_answer->shownBytes());
    const qsizetype hidden = QString::fromStdString(m_pieces.substr(m_pieces.size() - held)).size();
    turn.text = m_whole.left(m_whole.size() - hidden);
}

void ChatSession::finish() {
    take();
    Turn& turn = m_tree.turn(m_answering);
    const int id = m_answering;
    // Removes the tokens that a stop string cut off.
    while (!turn.tokens.empty() && turn.tokens.back().begin >= turn.text.size() &&
           turn.tokens.back().end > turn.text.size()) {
        turn.tokens.pop_back();
    }
    for (auto token = turn.tokens.rbegin(); token != turn.tokens.rend() && token->end > turn.text.size(); ++token) {
        token->end = static_cast<int>(turn.text.size());
    }
    turn.end = m_answer->error() || m_answer->problem() ? TurnEnd::Failed
               : m_answer->reason()                     ? endOf(*m_answer->reason())
                                                        : TurnEnd::Stopped;
    remember();
    const std::optional<Error> error = m_answer->error();
    const std::optional<text::TemplateProblem> problem = m_answer->problem();
    const std::vector<Error> refused = m_answer->refusedStates();
    const std::vector<std::string> specials = m_answer->prompt().typedSpecials;
    m_answer.release()->deleteLater(); // deferred, because the answer is the caller
    m_answering = -1;
    const bool isNothing = turn.end == TurnEnd::Failed && turn.text.isEmpty() && turn.tokens.empty();
    emit turnEnded(id);
    if (isNothing) { // an answer that never began is not part of the conversation
        m_tree.remove(id);
        emit pathChanged();
    }
    emit busyChanged();
    if (!specials.empty()) {
        emit specialsTyped(specials);
    }
    if (!refused.empty()) {
        emit statesRefused(refused);
    }
    if (error) {
        emit failed(*error);
    }
    if (problem) {
        emit templateFailed(*problem);
    }
}

// Stores the text that the next prompt may start with.
void ChatSession::remember() {
    const inference::PromptFacts& prompt = m_answer->prompt();
    const Turn& turn = m_tree.turn(m_answering);
    const std::span<const TurnToken> added = std::span(turn.tokens).subspan(std::min(m_begun, turn.tokens.size()));
    if (prompt.ids.empty() || turn.tokens.size() < m_begun) {
        return;
    }
    // The template may omit white space around the answer, and its thinking section.
    const std::string text =
        m_tree.mode == ChatMode::Chat ? prompt.text + messageOf(turn, m_tree.tools).content : turn.text.toStdString();
    m_known = {.text = text, .ids = prompt.ids};
    const auto ids = idsOf(added);
    m_known.ids.insert(m_known.ids.end(), ids.begin(), ids.end());
}

std::optional<std::size_t> ChatSession::positionOf(int id, std::size_t token) const {
    const std::vector<TokenId> ids = idsOf(m_tree.turn(id).tokens);
    const auto found = std::ranges::find_end(m_known.ids, ids);
    if (token >= ids.size() || found.empty()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found.begin() - m_known.ids.begin()) + token;
}

void ChatSession::abandonAnswer(TurnEnd end) {
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
    }
}

} // namespace gufo::ui

#include "moc_chat_session.cpp"
