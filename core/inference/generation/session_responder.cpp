#include "inference/generation/session_responder.h"

#include "base/try.h"
#include "inference/generation/answer_constraint.h"
#include "inference/generation/call_constraint.h"
#include "inference/generation/generation.h"
#include "inference/grammar/grammar_constraint.h"
#include "inference/interface/session.h"
#include "inference/prefixes/prefix_keeper.h"
#include "inference/prompts/context_window.h"
#include "inference/prompts/literal_content.h"
#include "inference/prompts/prompt_renderer.h"
#include "inference/prompts/prompt_tokens.h"

#include <algorithm>
#include <chrono>
#include <typeinfo>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

// The upper limit on the tokens of a conversation's prompt before its first question, which other conversations with
// the same system prompt share. It is lower if the tokenizer adds text.
std::size_t commonTokens(const ChatPrompt& chat, std::string_view prompt, std::span<const TokenId> ids,
                         const text::Tokenizer& tokenizer) {
    std::size_t at = 0;
    for (const text::Message& message : chat.messages) {
        const std::size_t found = message.content.empty() ? prompt.npos : prompt.find(message.content, at);
        if (found == prompt.npos) {
            return 0;
        }
        if (message.role == "user") {
            std::size_t bytes = 0;
            std::size_t count = 0;
            while (count < ids.size() && (bytes += tokenizer.bytesOf(ids[count]).size()) <= found) {
                ++count;
            }
            return count;
        }
        at = found + message.content.size();
    }
    return 0;
}

constexpr std::size_t kUsualAnswer = 1024; // tokens for which a context is made longer if the answer has no limit

bool isCancelled(const Error& error) { return error.code == ErrorCode::Cancelled; }

class SessionResponder final : public Responder {
public:
    SessionResponder(ResponderFacts facts, std::shared_ptr<const LoadedModel> loaded, std::unique_ptr<Session> session)
        : m_facts(std::move(facts))
        , m_loaded(std::move(loaded))
        , m_session(std::move(session)) {
        keepPrefixes();
    }
    ~SessionResponder() override { m_prefixes->release(); }

    [[nodiscard]] const ResponderFacts& facts() const override { return m_facts; }
    [[nodiscard]] int processDescriptor() const override { return m_session->processDescriptor(); }
    [[nodiscard]] std::optional<Error> findProcessEnd() override { return m_session->findProcessEnd(); }
    [[nodiscard]] Result<Response> respond(const ResponseRequest& request, const ResponseListener& listener,
                                           const JobContext& job) override;

private:
    class Answer;
    struct Prompt {
        std::string text{};
        std::vector<TokenId> ids{}; // with the text of the answer's beginning if its tokens are not known
        std::shared_ptr<const text::AnswerFormat> format{}; // of a conversation's answers
        std::vector<std::uint32_t> literalAt{};
        std::optional<text::TemplateProblem> problem{};
        bool exists = false; // false after a stop request, or if there is a problem
    };
    // The prompt of a text, or of a conversation from the turn at message `start` on.
    [[nodiscard]] Result<Prompt> promptOf(const ResponseRequest& request, std::optional<std::size_t> start,
                                          const JobContext& job);
    // The prompt from the first turn from which on it fits together with an answer of this many tokens, or the last
    // turn if even that is too long. `starts` are the turns from the one on that is known to be too long.
    struct Window {
        Prompt prompt;
        std::size_t start = 0;
    };
    [[nodiscard]] Result<Window> fit(const ResponseRequest& request, std::span<const std::size_t> starts,
                                     std::size_t answered, const JobContext& job);
    [[nodiscard]] Result<Window> window(const ResponseRequest& request, std::size_t answered, const JobContext& job);
    [[nodiscard]] bool holds(std::size_t tokens) const { return tokens < m_session->context(); }
    // Starts to store states of the session.
    void keepPrefixes();
    // Makes the session longer if it has no room for this many tokens, as far as the options allow it. Errors: the
    // errors of LoadedModel::startSession, but without enough memory it stays as it is.
    [[nodiscard]] Result<> lengthen(std::size_t tokens, const JobContext& job);
    void remember(const ChatPrompt* chat, std::size_t start);
    [[nodiscard]] Result<std::shared_ptr<Drafter>> drafterFor(const ResponseRequest& request);
    // The vocabulary as grammars need it.
    [[nodiscard]] const std::shared_ptr<const TokenTrie>& trie();

    ResponderFacts m_facts;
    std::shared_ptr<const LoadedModel> m_loaded;
    std::unique_ptr<Session> m_session;
    std::shared_ptr<Drafter> m_mtpDrafter; // with a block of the model; observes the session
    std::optional<PrefixKeeper> m_prefixes;
    std::shared_ptr<const TokenTrie> m_trie; // null until a grammar needs it
    PromptRenderer m_renderer;
    // The turn with which the last prompt began. Another prompt of the same conversation begins there too, as long as
    // it fits, because the session holds that beginning already.
    std::size_t m_start = 0; // 0: everything was kept
    text::Message m_startMessage{};
};

Result<SessionResponder::Prompt> SessionResponder::promptOf(const ResponseRequest& request,
                                                            std::optional<std::size_t> start, const JobContext& job) {
    Prompt prompt;
    if (const auto* text = std::get_if<std::string>(&request.prompt)) {
        prompt.text = *text;
        if (request.literalContent) {
            prompt.literalAt = literalPlaces(*text, *m_facts.tokenizer);
        }
    } else {
        ChatPrompt chat = std::get<ChatPrompt>(request.prompt);
        if (start) {
            chat.messages = fromTurn(chat.messages, *start);
        }
        GUFO_TRY(nameTemplate(chat, m_facts.model));
        auto rendered = m_renderer.render(chat, job.stop, request.literalContent ? m_facts.tokenizer.get() : nullptr);
        if (!rendered) {
            if (!job.stopRequested()) {
                prompt.problem = std::move(rendered.error());
            }
            return prompt;
        }
        prompt.text = std::move(rendered->text);
        prompt.format = text::formatFor(std::move(rendered->format), *m_facts.tokenizer);
        prompt.literalAt = std::move(rendered->literalAt);
    }
    // Without known tokens, the beginning of the answer is tokenized with the prompt.
    auto ids =
        promptTokens(*m_facts.tokenizer, request.begun.tokens.empty() ? prompt.text + request.begun.text : prompt.text,
                     request.known, {.stop = job.stop}, prompt.literalAt);
    if (!ids) {
        return isCancelled(ids.error()) ? Result<Prompt>(std::move(prompt)) : std::unexpected(std::move(ids.error()));
    }
    prompt.ids = std::move(*ids);
    prompt.exists = true;
    return prompt;
}

void SessionResponder::keepPrefixes() {
    // A state is only valid for the engine that made it, and each engine has a class for its states.
    PrefixStore* store = m_facts.options.prefixes.get();
    const LoadedModel& engine = *m_loaded;
    m_prefixes.emplace(
        store, store != nullptr ? prefixKey(*m_facts.model, typeid(engine).name(), m_facts.options) : std::string(),
        *m_session);
}

Result<> SessionResponder::lengthen(std::size_t tokens, const JobContext& job) {
    const std::size_t context = m_session->context();
    if (tokens < context || context >= m_facts.options.longestContext) {
        return {};
    }
    // At least twice as long, so that the turns of a conversation do not make it longer one after another.
    SessionOptions options = m_facts.options;
    options.context =
        static_cast<std::uint32_t>(std::min<std::size_t>(std::max(tokens + 1, 2 * context), options.longestContext));
    auto longer = m_loaded->startSession(options, {.stop = job.stop});
    if (!longer) {
        return longer.error().code == ErrorCode::NotEnoughMemory ? Result<>() : std::unexpected(longer.error());
    }
    m_prefixes->release();
    m_prefixes.reset(); // it refers to the session
    m_mtpDrafter.reset();
    m_session = std::move(*longer);
    m_facts.options.context = m_session->context();
    keepPrefixes();
    return {};
}

Result<SessionResponder::Window> SessionResponder::fit(const ResponseRequest& request,
                                                       std::span<const std::size_t> starts, std::size_t answered,
                                                       const JobContext& job) {
    Window best{.prompt = {}, .start = starts.back()};
    auto last = promptOf(request, best.start, job);
    if (!last || !last->exists) {
        return last ? Result<Window>({std::move(*last), best.start}) : std::unexpected(std::move(last.error()));
    }
    best.prompt = std::move(*last);
    const std::size_t half = m_session->context() / 2;
    const std::size_t maximum = best.prompt.ids.size() + answered <= half ? half : m_session->context() - 1;
    // The number of tokens falls as more turns are left out.
    std::size_t tooLong = 0;
    std::size_t fits = starts.size() - 1;
    while (fits - tooLong > 1) {
        const std::size_t middle = tooLong + (fits - tooLong) / 2;
        auto made = promptOf(request, starts[middle], job);
        if (!made || !made->exists) {
            return made ? Result<Window>({std::move(*made), starts[middle]}) : std::unexpected(std::move(made.error()));
        }
        if (made->ids.size() + answered <= maximum) {
            fits = middle;
            best = {std::move(*made), starts[middle]};
        } else {
            tooLong = middle;
        }
    }
    return best;
}

Result<SessionResponder::Window> SessionResponder::window(const ResponseRequest& request, std::size_t answered,
                                                          const JobContext& job) {
    auto whole = promptOf(request, {}, job);
    if (!whole || !whole->exists) {
        return whole ? Result<Window>({std::move(*whole), 0}) : std::unexpected(std::move(whole.error()));
    }
    const std::size_t answer = request.settings.maxTokens != 0 ? request.settings.maxTokens : kUsualAnswer;
    GUFO_TRY(lengthen(whole->ids.size() + std::max(answered, answer), job));
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    const bool fitsWhole = holds(whole->ids.size() + answered);
    const auto starts = chat != nullptr ? turnStarts(chat->messages) : std::vector<std::size_t>();
    if (fitsWhole || !request.settings.shift || starts.size() < 2) {
        return Window{std::move(*whole), 0};
    }
    const auto known = std::ranges::find(starts, m_start);
    if (m_start != 0 && known != starts.end() && chat->messages[m_start] == m_startMessage) {
        auto again = promptOf(request, m_start, job);
        if (!again || !again->exists || holds(again->ids.size() + answered)) {
            return again ? Result<Window>({std::move(*again), m_start}) : std::unexpected(std::move(again.error()));
        }
    }
    return fit(request, starts, answered, job);
}

void SessionResponder::remember(const ChatPrompt* chat, std::size_t start) {
    m_start = chat != nullptr ? start : 0;
    m_startMessage = m_start != 0 ? chat->messages[m_start] : text::Message();
}

Result<std::shared_ptr<Drafter>> SessionResponder::drafterFor(const ResponseRequest& request) {
    if (!request.mtpDrafts) {
        m_mtpDrafter.reset();
        return request.drafter;
    }
    if (m_mtpDrafter == nullptr) {
        m_mtpDrafter = GUFO_TRY(m_session->startMtpDrafts());
    }
    return m_mtpDrafter;
}

const std::shared_ptr<const TokenTrie>& SessionResponder::trie() {
    if (m_trie == nullptr) {
        m_trie = std::make_shared<const TokenTrie>(*m_facts.tokenizer);
    }
    return m_trie;
}

// One answer, from the request to the end of generation. The steps of run() follow each other in the order of their
// declaration.
class SessionResponder::Answer {
public:
    Answer(SessionResponder& responder, const ResponseRequest& request, const ResponseListener& listener,
           const JobContext& job)
        : m_responder(responder)
        , m_session(*responder.m_session)
        , m_tokenizer(*responder.m_facts.tokenizer)
        , m_request(request)
        , m_listener(listener)
        , m_job(job)
        , m_chat(std::get_if<ChatPrompt>(&request.prompt))
        , m_settings(request.settings) {}

    // `window` holds a prompt that exists.
    [[nodiscard]] Result<Response> run(Window window);

private:
    void takePrompt(Window window);
    // Drops tokens in the middle of a text, or of an answer, that the context cannot hold: neither can be shortened by
    // turns.
    void cutMiddle();
    void announcePrompt();
    // Follows the text of a conversation's answer, so that thoughts and calls are told from the text for the user.
    void followAnswer();
    [[nodiscard]] Result<> prepareGeneration();
    [[nodiscard]] Result<std::unique_ptr<Constraint>> makeConstraint() const; // null: any text is allowed
    [[nodiscard]] Result<> readPrompt();
    [[nodiscard]] Result<> generate();
    void measure(std::uint64_t& evaluations);
    [[nodiscard]] static ResponsePiece pieceOf(GeneratedToken token);

    // Generation calls these when the context is full: the first one returns the shorter prompt with the answer so far,
    // or nothing if it can leave out no turn, whereupon tokens in the middle are dropped and the second one is called.
    [[nodiscard]] Result<std::vector<TokenId>> leaveOutTurns();
    void noteShift(std::size_t tokens);
    // Tells the listener how much is left out, if anything is.
    void reportLeftOut() const;

    // The tokens that the session reads: the prompt with the beginning of the answer, without what cutMiddle() drops.
    [[nodiscard]] const std::vector<TokenId>& readTokens() const { return m_kept.empty() ? m_ids : m_kept; }

    SessionResponder& m_responder;
    Session& m_session;
    const text::Tokenizer& m_tokenizer;
    const ResponseRequest& m_request;
    const ResponseListener& m_listener;
    const JobContext& m_job;
    const ChatPrompt* m_chat; // null: the prompt is a text
    GenerationSettings m_settings;
    Prompt m_prompt;
    std::size_t m_start = 0;        // the message with which the prompt's first turn begins
    std::vector<TokenId> m_ids;     // of the prompt and the beginning of the answer
    std::vector<TokenId> m_kept;    // the tokens that cutMiddle() has kept; empty: all
    std::size_t m_promptTokens = 0; // tokens that precede the answer in the session
    std::size_t m_keptFirst = 0;    // as Generation::keepFirst()
    std::size_t m_droppedTokens = 0;
    std::shared_ptr<text::AnswerParser> m_parser; // null for a text
    std::optional<Generation> m_generation;
    Response m_response;
};

Result<Response> SessionResponder::Answer::run(Window window) {
    takePrompt(std::move(window));
    cutMiddle();
    announcePrompt();
    followAnswer();
    GUFO_TRY(prepareGeneration());
    Result<> done = readPrompt();
    if (done) {
        if (m_listener.promptRead) {
            m_listener.promptRead(m_response.figures);
        }
        done = generate();
    }
    if (const std::size_t held = m_generation->held(); held < m_session.tokens().size()) {
        m_session.truncate(held); // drafted tokens that a stopped answer left undecided
    }
    if (!done && !isCancelled(done.error())) {
        return std::unexpected(std::move(done.error()));
    }
    m_response.rest = m_generation->rest();
    return std::move(m_response);
}

void SessionResponder::Answer::takePrompt(Window window) {
    m_prompt = std::move(window.prompt);
    m_start = window.start;
    m_ids = std::move(m_prompt.ids);
    m_promptTokens = m_ids.size();
    m_ids.insert(m_ids.end(), m_request.begun.tokens.begin(), m_request.begun.tokens.end());
    if (m_chat != nullptr) {
        addAnswerFormat(*m_prompt.format, m_tokenizer, m_settings);
    }
    m_responder.remember(m_chat, m_start);
}

void SessionResponder::Answer::cutMiddle() {
    const auto bos = m_tokenizer.vocabulary().specials().bos;
    const std::size_t first = m_chat != nullptr ? m_promptTokens : bos && m_ids.front() == *bos ? 1 : 0;
    const std::size_t context = m_session.context();
    const bool fits = m_responder.holds(m_ids.size());
    if (m_settings.shift && !fits && first + 2 < context) {
        const TextCut cut = cutText(m_ids, first, context, m_session.tokens());
        m_kept = cut.applied(m_ids);
        m_droppedTokens = cut.dropped;
    }
    m_settings.keep = std::max(m_settings.keep, first);
    m_keptFirst = m_settings.keep;
    if (fits || !m_kept.empty()) { // otherwise the last turn alone is too long
        reportLeftOut();
    }
}

void SessionResponder::Answer::announcePrompt() {
    m_response.figures = {.promptTokens = m_promptTokens, .contextUsed = m_session.tokens().size()};
    if (m_listener.promptMade) {
        m_listener.promptMade({.text = m_prompt.text,
                               .ids = m_ids,
                               .format = m_prompt.format,
                               .typedSpecials = typedSpecials(m_request, m_tokenizer)},
                              m_response.figures);
    }
}

void SessionResponder::Answer::followAnswer() {
    if (m_chat == nullptr) {
        return;
    }
    m_parser = std::make_shared<text::AnswerParser>(m_prompt.format, m_prompt.text, m_chat->options.tools);
    if (m_request.begun.tokens.empty()) { // otherwise Generation::start() pushes their text
        (void)m_parser->push(m_request.begun.text);
    }
}

Result<std::unique_ptr<Constraint>> SessionResponder::Answer::makeConstraint() const {
    const bool hasTools = m_chat != nullptr && !m_chat->options.tools.empty();
    if (m_request.grammar == nullptr && !hasTools) {
        return std::unique_ptr<Constraint>();
    }
    const auto& trie = m_responder.trie();
    std::unique_ptr<Constraint> constraint;
    if (m_request.grammar != nullptr) {
        std::unique_ptr<GrammarConstraint> grammar =
            GUFO_TRY(GrammarConstraint::make(m_request.grammar, trie, m_tokenizer));
        if (m_parser == nullptr) {
            return grammar;
        }
        constraint =
            std::make_unique<AnswerConstraint>(std::move(grammar), m_parser, m_prompt.format, trie, m_tokenizer,
                                               m_settings.written, m_settings.innerEnds, hasTools);
    }
    if (hasTools && m_parser != nullptr) {
        constraint = std::make_unique<CallConstraint>(std::move(constraint), m_parser,
                                                      callGrammars(*m_prompt.format, m_chat->options.tools), trie,
                                                      m_tokenizer, m_settings.written);
    }
    return constraint;
}

Result<> SessionResponder::Answer::prepareGeneration() {
    auto constraint = GUFO_TRY(makeConstraint());
    auto drafter = GUFO_TRY(m_responder.drafterFor(m_request));
    m_generation.emplace(m_session, m_responder.m_facts.tokenizer, m_settings);
    m_generation->setParser(m_parser);
    m_generation->setConstraint(std::move(constraint));
    m_generation->setDrafter(std::move(drafter));
    m_generation->setShorten([this] { return leaveOutTurns(); }, [this](std::size_t tokens) { noteShift(tokens); });
    return {};
}

Result<> SessionResponder::Answer::readPrompt() {
    ResponseFigures& figures = m_response.figures;
    const SessionFigures before = m_session.figures();
    const auto begun = Clock::now();
    const std::size_t common =
        m_chat != nullptr && m_kept.empty() ? commonTokens(*m_chat, m_prompt.text, m_ids, m_tokenizer) : 0;
    GUFO_TRY(
        m_responder.m_prefixes->prepare(readTokens(), common, m_request.conversation, m_job, m_response.refusedStates));
    GUFO_TRY(m_generation->start(readTokens(), m_job, m_request.begun.tokens));
    const SessionFigures& read = m_session.figures();
    figures.batchedTokens = read.promptTokens - before.promptTokens;
    figures.batchedSeconds = read.promptSeconds - before.promptSeconds;
    figures.readTokens = figures.batchedTokens + read.generatedTokens - before.generatedTokens;
    figures.reusedTokens = readTokens().size() - std::min(figures.readTokens, readTokens().size());
    figures.readSeconds = secondsSince(begun);
    figures.contextUsed = m_session.tokens().size();
    return {};
}

Result<> SessionResponder::Answer::generate() {
    const JobContext job = m_job.silent(); // only prompts report it
    const auto begun = Clock::now();
    std::uint64_t evaluations = 0;
    for (;;) {
        auto next = m_generation->next(job);
        measure(evaluations);
        auto token = GUFO_TRY(std::move(next));
        if (!token) {
            m_response.reason = m_generation->reason();
            return {};
        }
        m_response.figures.tokens += 1;
        m_response.figures.seconds = secondsSince(begun);
        if (m_listener.piece && !m_listener.piece(pieceOf(*std::move(token)), m_response.figures)) {
            return {};
        }
    }
}

// `evaluations` is the number of evaluations that were measured before.
void SessionResponder::Answer::measure(std::uint64_t& evaluations) {
    ResponseFigures& figures = m_response.figures;
    const GenerationFigures& now = m_generation->figures();
    figures.contextUsed = m_generation->held();
    figures.bytesRead += (now.evaluations - evaluations) * m_session.figures().bytesAt(figures.contextUsed);
    evaluations = now.evaluations;
    figures.evaluatedTokens = now.tokens;
    figures.evaluationSeconds = now.seconds;
    figures.draftedTokens = now.drafted;
    figures.acceptedTokens = now.accepted;
}

ResponsePiece SessionResponder::Answer::pieceOf(GeneratedToken token) {
    const Choice& choice = token.choice;
    ResponsePiece piece{.bytes = std::move(token.bytes),
                        .shown = std::move(token.text),
                        .token = choice.token,
                        .logProbability = choice.logProbability,
                        .entropy = choice.entropy,
                        .kept = choice.kept};
    piece.candidates.reserve(choice.candidates.size());
    for (const Candidate& candidate : choice.candidates) {
        piece.candidates.push_back(
            {.token = candidate.token, .probability = candidate.probability, .cut = candidate.cut});
    }
    return piece;
}

Result<std::vector<TokenId>> SessionResponder::Answer::leaveOutTurns() {
    const auto held = m_session.tokens();
    const auto starts = m_chat != nullptr ? turnStarts(m_chat->messages) : std::vector<std::size_t>();
    const std::span<const std::size_t> left(std::ranges::lower_bound(starts, m_start), starts.end());
    if (left.size() <= 1) {
        return std::vector<TokenId>();
    }
    const std::vector<TokenId> answer(held.begin() + static_cast<std::ptrdiff_t>(m_promptTokens), held.end());
    auto shorter = GUFO_TRY(m_responder.fit(m_request, left, answer.size(), m_job));
    std::vector<TokenId> tokens = std::move(shorter.prompt.ids);
    if (!shorter.prompt.exists || !m_responder.holds(tokens.size() + answer.size())) {
        return std::vector<TokenId>(); // the answer itself fills the context
    }
    m_promptTokens = tokens.size();
    m_keptFirst = m_promptTokens;
    m_generation->keepFirst(m_keptFirst);
    m_start = shorter.start;
    m_responder.remember(m_chat, m_start);
    reportLeftOut();
    tokens.insert(tokens.end(), answer.begin(), answer.end());
    return tokens;
}

void SessionResponder::Answer::noteShift(std::size_t tokens) {
    m_responder.m_prefixes->noteShift(m_keptFirst);
    m_droppedTokens += tokens;
    reportLeftOut();
}

void SessionResponder::Answer::reportLeftOut() const {
    const std::size_t messages = m_chat != nullptr && m_start != 0 ? m_start - turnStarts(m_chat->messages).front() : 0;
    if (m_listener.shortened && messages + m_droppedTokens != 0) {
        m_listener.shortened(messages, m_droppedTokens);
    }
}

Result<Response> SessionResponder::respond(const ResponseRequest& request, const ResponseListener& listener,
                                           const JobContext& job) {
    if (m_facts.tokenizer == nullptr) {
        return std::unexpected(*m_facts.tokenizerError);
    }
    auto made = GUFO_TRY(window(request, request.begun.tokens.size(), job));
    if (!made.prompt.exists) {
        return Response{.problem = std::move(made.prompt.problem)};
    }
    return Answer(*this, request, listener, job).run(std::move(made));
}

} // namespace

Result<std::unique_ptr<Responder>> openSessionResponder(const EngineCapabilities& capabilities,
                                                        std::shared_ptr<const LoadedModel> loaded,
                                                        const SessionOptions& options, const JobContext& job) {
    GUFO_TRY(job.check());
    auto session = GUFO_TRY(loaded->startSession(options, job));
    auto tokenizer = text::makeTokenizer(*loaded->model(), job);
    if (!tokenizer && isCancelled(tokenizer.error())) {
        return std::unexpected(std::move(tokenizer.error()));
    }
    ResponderFacts facts{.capabilities = capabilities,
                         .model = loaded->model(),
                         .tokenizer = tokenizer ? *tokenizer : nullptr,
                         .tokenizerError = tokenizer ? std::nullopt : std::optional(tokenizer.error()),
                         .options = options,
                         .trainedContext = loaded->trainedContext(),
                         .leftOut = {loaded->leftOut().begin(), loaded->leftOut().end()},
                         .mtpDrafts = loaded->mtpDrafts()};
    facts.options.context = session->context();
    facts.options.threads = session->threads();
    return std::make_unique<SessionResponder>(std::move(facts), std::move(loaded), std::move(session));
}

} // namespace gufo::inference
