#include "inference/session/session_responder.h"

#include "inference/grammar/grammar_constraint.h"
#include "inference/prefixes/prefix_keeper.h"
#include "inference/prefixes/prefix_key.h"
#include "inference/session/answer_constraint.h"
#include "inference/session/context_window.h"
#include "inference/session/literal_content.h"
#include "inference/session/prompt_renderer.h"
#include "inference/session/seconds_since.h"

#include <algorithm>
#include <chrono>
#include <typeinfo>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

// Reports how much is left out, if anything is.
void tellDropped(const ChatPrompt* chat, std::size_t start, std::size_t tokens, const ResponseListener& listener) {
    const std::size_t messages = chat != nullptr && start != 0 ? start - turnStarts(chat->messages).front() : 0;
    if (listener.shortened && messages + tokens != 0) {
        listener.shortened(messages, tokens);
    }
}

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
    // Makes the session longer if it has no room for this many tokens, as far as the options allow it. Errors: those of
    // LoadedModel::startSession, but without enough memory it stays as it is.
    [[nodiscard]] Result<> lengthen(std::size_t tokens, const JobContext& job);
    void remember(const ChatPrompt* chat, std::size_t start);
    [[nodiscard]] Result<std::shared_ptr<Drafter>> drafterFor(const ResponseRequest& request);
    // What a conversation's answers consist of; empty for a text.
    struct Followed {
        std::shared_ptr<text::AnswerParser> parser{};
        std::shared_ptr<const text::AnswerFormat> format{};
        std::vector<TokenId> written{};
        std::vector<TokenId> ends{};
        bool tools = false;
    };
    [[nodiscard]] Result<> constrain(Generation& generation, const std::shared_ptr<const Grammar>& grammar,
                                     const Followed& followed);
    // The arguments of PrefixKeeper::prepare() other than the tokens.
    struct Shared {
        std::size_t common = 0;
        std::string_view conversation{};
    };
    [[nodiscard]] Result<> read(Generation& generation, const std::vector<TokenId>& ids, std::span<const TokenId> begun,
                                const Shared& shared, Response& response, const JobContext& job);
    [[nodiscard]] Result<> generate(Generation& generation, const ResponseListener& listener, Response& response,
                                    const JobContext& job);

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

Result<> SessionResponder::constrain(Generation& generation, const std::shared_ptr<const Grammar>& grammar,
                                     const Followed& followed) {
    if (grammar == nullptr) {
        return {};
    }
    if (m_trie == nullptr) {
        m_trie = std::make_shared<const TokenTrie>(*m_facts.tokenizer);
    }
    auto constraint = GUFO_TRY(GrammarConstraint::make(grammar, m_trie, *m_facts.tokenizer));
    if (followed.parser == nullptr) {
        generation.setConstraint(std::move(constraint));
    } else {
        generation.setConstraint(std::make_unique<AnswerConstraint>(std::move(constraint), followed.parser,
                                                                    followed.format, m_trie, *m_facts.tokenizer,
                                                                    followed.written, followed.ends, followed.tools));
    }
    return {};
}

Result<> SessionResponder::read(Generation& generation, const std::vector<TokenId>& ids, std::span<const TokenId> begun,
                                const Shared& shared, Response& response, const JobContext& job) {
    ResponseFigures& figures = response.figures;
    const SessionFigures before = m_session->figures();
    const auto begunReading = Clock::now();
    if (auto prepared = m_prefixes->prepare(ids, shared.common, shared.conversation, job, response.refusedStates);
        !prepared) {
        return prepared;
    }
    GUFO_TRY(generation.start(ids, job, begun));
    const SessionFigures& read = m_session->figures();
    figures.batchedTokens = read.promptTokens - before.promptTokens;
    figures.batchedSeconds = read.promptSeconds - before.promptSeconds;
    figures.readTokens = figures.batchedTokens + read.generatedTokens - before.generatedTokens;
    figures.reusedTokens = ids.size() - std::min(figures.readTokens, ids.size());
    figures.readSeconds = secondsSince(begunReading);
    figures.contextUsed = m_session->tokens().size();
    return {};
}

Result<> SessionResponder::generate(Generation& generation, const ResponseListener& listener, Response& response,
                                    const JobContext& job) {
    ResponseFigures& figures = response.figures;
    const SessionFigures& engine = m_session->figures();
    const auto begun = Clock::now();
    std::uint64_t evaluations = 0;
    const auto measure = [&] {
        const GenerationFigures& now = generation.figures();
        figures.contextUsed = generation.held();
        figures.bytesRead += (now.evaluations - evaluations) * engine.bytesAt(figures.contextUsed);
        evaluations = now.evaluations;
        figures.evaluatedTokens = now.tokens;
        figures.evaluationSeconds = now.seconds;
        figures.draftedTokens = now.drafted;
        figures.acceptedTokens = now.accepted;
    };
    for (;;) {
        auto token = generation.next(job);
        measure();
        if (!token) {
            return std::unexpected(std::move(token.error()));
        }
        if (!*token) {
            response.reason = generation.reason();
            return {};
        }
        figures.tokens += 1;
        figures.seconds = secondsSince(begun);
        Choice& choice = (*token)->choice;
        ResponsePiece piece{.bytes = std::move((*token)->bytes),
                            .shown = std::move((*token)->text),
                            .token = choice.token,
                            .logProbability = choice.logProbability,
                            .entropy = choice.entropy,
                            .kept = choice.kept};
        piece.candidates.reserve(choice.candidates.size());
        for (const Candidate& candidate : choice.candidates) {
            piece.candidates.push_back(
                {.token = candidate.token, .probability = candidate.probability, .cut = candidate.cut});
        }
        if (listener.piece && !listener.piece(std::move(piece), figures)) {
            return {};
        }
    }
}

Result<Response> SessionResponder::respond(const ResponseRequest& request, const ResponseListener& listener,
                                           const JobContext& job) {
    if (m_facts.tokenizer == nullptr) {
        return std::unexpected(*m_facts.tokenizerError);
    }
    const std::vector<TokenId>& begun = request.begun.tokens;
    auto made = GUFO_TRY(window(request, begun.size(), job));
    if (!made.prompt.exists) {
        return Response{.problem = std::move(made.prompt.problem)};
    }
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    GenerationSettings settings = request.settings;
    if (chat != nullptr) {
        addAnswerFormat(*made.prompt.format, *m_facts.tokenizer, settings);
    }
    std::vector<TokenId> ids = std::move(made.prompt.ids);
    std::size_t promptTokens = ids.size(); // of those that the session holds: what precedes the answer
    ids.insert(ids.end(), begun.begin(), begun.end());
    // A text, or an answer, cannot be shortened by turns; tokens in its middle are dropped.
    const auto bos = m_facts.tokenizer->vocabulary().specials().bos;
    const std::size_t first = chat != nullptr ? promptTokens : bos && ids.front() == *bos ? 1 : 0;
    std::vector<TokenId> kept;
    std::size_t droppedTokens = 0;
    if (settings.shift && !holds(ids.size()) && first + 2 < m_session->context()) {
        const TextCut cut = cutText(ids, first, m_session->context(), m_session->tokens());
        kept = cut.applied(ids);
        droppedTokens = cut.dropped;
    }
    settings.keep = std::max(settings.keep, first);
    std::size_t keptFirst = settings.keep; // as Generation::keepFirst()
    remember(chat, made.start);
    if (!kept.empty() || holds(ids.size())) { // otherwise the last turn alone is too long
        tellDropped(chat, made.start, droppedTokens, listener);
    }
    Response response{.figures = {.promptTokens = promptTokens, .contextUsed = m_session->tokens().size()}};
    const std::string prompt = made.prompt.text;
    if (listener.promptMade) {
        listener.promptMade({.text = std::move(made.prompt.text),
                             .ids = ids,
                             .format = made.prompt.format,
                             .typedSpecials = typedSpecials(request, *m_facts.tokenizer)},
                            response.figures);
    }
    Followed followed;
    if (chat != nullptr) {
        followed = {.parser = std::make_shared<text::AnswerParser>(made.prompt.format, prompt, chat->options.tools),
                    .format = made.prompt.format,
                    .written = settings.written,
                    .ends = settings.innerEnds,
                    .tools = !chat->options.tools.empty()};
        if (begun.empty()) {
            (void)followed.parser->push(request.begun.text);
        }
    }
    Generation generation(*m_session, m_facts.tokenizer, std::move(settings));
    generation.setParser(followed.parser);
    if (auto drafter = drafterFor(request)) {
        generation.setDrafter(std::move(*drafter));
    } else {
        return std::unexpected(std::move(drafter.error()));
    }
    GUFO_TRY(constrain(generation, request.grammar, followed));
    const auto shorten = [&]() -> Result<std::vector<TokenId>> {
        const auto held = m_session->tokens();
        const auto starts = chat != nullptr ? turnStarts(chat->messages) : std::vector<std::size_t>();
        const std::span<const std::size_t> left(std::ranges::lower_bound(starts, made.start), starts.end());
        if (left.size() > 1) {
            const std::vector<TokenId> answer(held.begin() + static_cast<std::ptrdiff_t>(promptTokens), held.end());
            auto shorter = GUFO_TRY(fit(request, left, answer.size(), job));
            std::vector<TokenId> tokens = std::move(shorter.prompt.ids);
            if (shorter.prompt.exists && holds(tokens.size() + answer.size())) {
                promptTokens = tokens.size();
                made.start = shorter.start;
                generation.keepFirst(promptTokens);
                keptFirst = promptTokens;
                remember(chat, made.start);
                tellDropped(chat, made.start, droppedTokens, listener);
                tokens.insert(tokens.end(), answer.begin(), answer.end());
                return tokens;
            }
        }
        return std::vector<TokenId>(); // the answer itself fills the context, or there are no turns
    };
    generation.setShorten(shorten, [&](std::size_t tokens) {
        m_prefixes->noteShift(keptFirst);
        droppedTokens += tokens;
        tellDropped(chat, made.start, droppedTokens, listener);
    });
    const Shared shared{.common =
                            chat != nullptr && kept.empty() ? commonTokens(*chat, prompt, ids, *m_facts.tokenizer) : 0,
                        .conversation = request.conversation};
    Result<> done = read(generation, kept.empty() ? ids : kept, begun, shared, response, job);
    if (done) {
        if (listener.promptRead) {
            listener.promptRead(response.figures);
        }
        // Only the prompt reports progress.
        done =
            generate(generation, listener, response, {.stop = job.stop, .progress = nullptr, .threads = job.threads});
    }
    if (const std::size_t held = generation.held(); held < m_session->tokens().size()) {
        m_session->truncate(held); // drafted tokens that a stopped answer left undecided
    }
    if (!done && !isCancelled(done.error())) {
        return std::unexpected(std::move(done.error()));
    }
    response.rest = generation.rest();
    return response;
}

} // namespace

Result<std::unique_ptr<Responder>> openSessionResponder(const EngineCapabilities& capabilities,
                                                        std::shared_ptr<const LoadedModel> loaded,
                                                        const SessionOptions& options, const JobContext& job) {
    if (job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
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
