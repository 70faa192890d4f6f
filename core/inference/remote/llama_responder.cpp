// The responder for llama-server: /apply-template or Gufo's template, /tokenize or the file's tokenizer, /completion.
#include "base/detail.h"
#include "inference/grammar/grammar.h"
#include "inference/interface/session.h"
#include "inference/prompts/literal_content.h"
#include "inference/prompts/prompt_renderer.h"
#include "inference/prompts/prompt_tokens.h"
#include "inference/remote/answer_stream.h"
#include "inference/remote/server_requests.h"
#include "inference/remote/server_responder.h"
#include "inference/remote/token_pieces.h"

#include <chrono>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

class LlamaResponder final : public Responder {
public:
    LlamaResponder(ResponderFacts facts, ServerConnection server)
        : m_facts(std::move(facts))
        , m_server(std::move(server)) {}

    [[nodiscard]] const ResponderFacts& facts() const override { return m_facts; }
    [[nodiscard]] Result<Response> respond(const ResponseRequest& request, const ResponseListener& listener,
                                           const JobContext& job) override;
    [[nodiscard]] Result<TokenScore> score(std::span<const TokenId> tokens, TokenId next, std::size_t candidates,
                                           const JobContext& job) override;

private:
    struct Prompt {
        std::string text{};
        std::shared_ptr<const text::AnswerFormat> format{}; // null where the server applies its template
        std::vector<std::uint32_t> literalAt{};
        std::optional<text::TemplateProblem> problem{};
    };
    [[nodiscard]] Result<Prompt> promptOf(const ResponseRequest& request, const JobContext& job);
    // The tokens of the prompt, and those of the answer's beginning.
    struct Tokens {
        std::vector<TokenId> ids{};
        std::size_t prompt = 0; // number of ids before the answer's known tokens
    };
    [[nodiscard]] Result<Tokens> tokensOf(const ResponseRequest& request, const Prompt& made,
                                          const JobContext& job) const;
    [[nodiscard]] Result<> answer(const std::string& body, TokenPieces& pieces, const ResponseListener& listener,
                                  Response& response, const JobContext& job) const;

    ResponderFacts m_facts;
    ServerConnection m_server;
    PromptRenderer m_renderer;
};

Result<LlamaResponder::Prompt> LlamaResponder::promptOf(const ResponseRequest& request, const JobContext& job) {
    if (const auto* text = std::get_if<std::string>(&request.prompt)) {
        const bool isLiteral = request.literalContent && m_facts.tokenizer != nullptr;
        return Prompt{.text = *text,
                      .literalAt = isLiteral ? literalPlaces(*text, *m_facts.tokenizer) : std::vector<std::uint32_t>()};
    }
    ChatPrompt chat = std::get<ChatPrompt>(request.prompt);
    if (chat.byEngine) {
        auto reply = m_server.post("/apply-template", applyTemplateBody(chat), job);
        auto text = GUFO_TRY(reply ? readTemplateReply(*reply) : std::unexpected(std::move(reply.error())));
        return Result<Prompt>({.text = std::move(text)});
    }
    GUFO_TRY(nameTemplate(chat, m_facts.model));
    auto rendered = m_renderer.render(chat, job.stop, request.literalContent ? m_facts.tokenizer.get() : nullptr);
    if (!rendered) {
        return job.stopRequested() ? Result<Prompt>(fail(ErrorCode::Cancelled))
                                   : Result<Prompt>({.problem = std::move(rendered.error())});
    }
    return Prompt{.text = std::move(rendered->text),
                  .format = m_facts.tokenizer != nullptr
                                ? text::formatFor(std::move(rendered->format), *m_facts.tokenizer)
                                : std::move(rendered->format),
                  .literalAt = std::move(rendered->literalAt)};
}

Result<LlamaResponder::Tokens> LlamaResponder::tokensOf(const ResponseRequest& request, const Prompt& made,
                                                        const JobContext& job) const {
    const std::string& prompt = made.text;
    const bool hasIds = m_facts.tokenizer != nullptr && !request.begun.tokens.empty();
    const std::string text = hasIds ? prompt : prompt + request.begun.text;
    Tokens tokens;
    if (m_facts.tokenizer != nullptr) {
        tokens.ids =
            GUFO_TRY(promptTokens(*m_facts.tokenizer, text, request.known, {.stop = job.stop}, made.literalAt));
    } else {
        // A beginning token that the template has written must not be added again.
        const std::string& bos = m_facts.server->bosText;
        const bool addsSpecial = bos.empty() || !text.starts_with(bos);
        const auto reply = m_server.post("/tokenize", tokenizeBody(text, addsSpecial), job);
        auto ids = GUFO_TRY(reply ? readTokenizeReply(*reply) : std::unexpected(reply.error()));
        tokens.ids = std::move(ids);
        if (tokens.ids.empty()) {
            return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
        }
    }
    tokens.prompt = tokens.ids.size();
    if (hasIds) {
        tokens.ids.insert(tokens.ids.end(), request.begun.tokens.begin(), request.begun.tokens.end());
    }
    return tokens;
}

Result<> LlamaResponder::answer(const std::string& body, TokenPieces& pieces, const ResponseListener& listener,
                                Response& response, const JobContext& job) const {
    ResponseFigures& figures = response.figures;
    const auto begun = Clock::now();
    std::optional<Clock::time_point> read; // when the prompt was read
    const auto take = [&](ReplyChunk chunk) {
        if (chunk.progress && !read && job.progress != nullptr) {
            job.progress->start(chunk.progress->total);
            job.progress->advance(chunk.progress->done);
        }
        if (chunk.timings) {
            takeTimings(*chunk.timings, figures);
        }
        if (chunk.progress) {
            return true;
        }
        if (!read) {
            read = Clock::now();
            figures.readSeconds = secondsSince(begun);
            if (listener.promptRead) {
                listener.promptRead(figures);
            }
        }
        figures.seconds = generationSeconds(secondsSince(*read), figures);
        for (ResponsePiece& piece : pieces.take(std::move(chunk))) {
            ++figures.tokens;
            ++figures.contextUsed;
            if (listener.piece && !listener.piece(std::move(piece), figures)) {
                return false;
            }
        }
        return !pieces.end();
    };
    auto done =
        streamAnswer(m_server, "/completion", body, readCompletionEvent, take, OddEvents::Refused, {.stop = job.stop});
    if (!done) {
        return std::unexpected(std::move(done.error()));
    }
    response.reason = pieces.end();
    response.rest = pieces.rest();
    return {};
}

Result<Response> LlamaResponder::respond(const ResponseRequest& request, const ResponseListener& listener,
                                         const JobContext& job) {
    // The server only gets the text of the grammar.
    if (request.grammar != nullptr && request.grammar->checksDistinct) {
        return fail(ErrorCode::NotSupported, {}, {std::string("uniqueItems, minProperties")});
    }
    Response response;
    const auto stopped = [](const Error& error) { return error.code == ErrorCode::Cancelled; };
    auto prompt = promptOf(request, job);
    if (!prompt || prompt->problem) {
        if (prompt) {
            response.problem = std::move(prompt->problem);
        }
        return prompt || stopped(prompt.error()) ? Result<Response>(std::move(response))
                                                 : std::unexpected(std::move(prompt.error()));
    }
    auto tokens = tokensOf(request, *prompt, job);
    if (!tokens) {
        return stopped(tokens.error()) ? Result<Response>(std::move(response))
                                       : std::unexpected(std::move(tokens.error()));
    }
    if (m_facts.options.context != 0 && tokens->ids.size() >= m_facts.options.context) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::ContextTokens, tokens->ids.size(), m_facts.options.context});
    }
    GenerationSettings settings = request.settings;
    std::vector<std::string> written;
    if (m_facts.tokenizer != nullptr && std::holds_alternative<ChatPrompt>(request.prompt)) {
        const auto format = prompt->format != nullptr ? prompt->format : text::usualAnswerFormat();
        addAnswerFormat(*format, *m_facts.tokenizer, settings);
        for (const TokenId id : settings.written) {
            written.push_back(m_facts.tokenizer->bytesOf(id));
        }
    }
    if (m_facts.tokenizer == nullptr) {
        settings.sampler.bias.clear(); // it names ids of another vocabulary
    }
    response.figures.promptTokens = tokens->prompt;
    response.figures.contextUsed = tokens->ids.size();
    if (listener.promptMade) {
        listener.promptMade({.text = std::move(prompt->text),
                             .ids = m_facts.tokenizer != nullptr ? tokens->ids : std::vector<TokenId>(),
                             .format = prompt->format,
                             .typedSpecials = m_facts.tokenizer != nullptr ? typedSpecials(request, *m_facts.tokenizer)
                                                                           : std::vector<std::string>()},
                            response.figures);
    }
    TokenPieces pieces(m_facts.tokenizer, settings, request.begun.tokens);
    const auto done =
        answer(completionBody({.prompt = tokens->ids,
                               .settings = &settings,
                               .grammar = request.grammar != nullptr ? std::string_view(request.grammar->text)
                                                                     : std::string_view(),
                               .written = written,
                               .afterSamplers = request.afterSamplers,
                               .context = m_facts.options.context}),
               pieces, listener, response, job);
    if (!done && !stopped(done.error())) {
        return std::unexpected(done.error());
    }
    return response;
}

Result<TokenScore> LlamaResponder::score(std::span<const TokenId> tokens, TokenId next, std::size_t candidates,
                                         const JobContext& job) {
    if (!m_facts.offers(Feature::Scoring)) {
        return Responder::score(tokens, next, candidates, job);
    }
    const auto reply = m_server.post("/completion", scoreBody(tokens, next, candidates), job);
    auto chunk = GUFO_TRY(reply ? readCompletionEvent(*reply) : std::unexpected(reply.error()));
    if (chunk.tokens.empty()) { // llama-server reports nothing about a token that ends inside a character
        return Responder::score(tokens, next, candidates, job);
    }
    const bool isIt = chunk.tokens.size() == 1 && chunk.tokens.front().id == next;
    if (!isIt || !chunk.tokens.front().logProbability || chunk.tokens.front().afterSamplers) {
        return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson});
    }
    ReplyToken& token = chunk.tokens.front();
    TokenScore score{.logProbability = *token.logProbability};
    for (ReplyCandidate& each : token.candidates) {
        if (score.candidates.size() < candidates) {
            score.candidates.push_back(
                {.token = each.id, .text = std::move(each.text), .probability = each.probability});
        }
    }
    return score;
}

} // namespace

std::unique_ptr<Responder> makeLlamaResponder(ResponderFacts facts, ServerConnection server) {
    return std::make_unique<LlamaResponder>(std::move(facts), std::move(server));
}

} // namespace gufo::inference
