// The responder for llama-server: /apply-template or Gufo's template, /tokenize or the file's tokenizer, /completion.
#include "base/detail.h"
#include "inference/grammar/grammar.h"
#include "inference/interface/responder.h"
#include "inference/interface/session.h"
#include "inference/prompts/literal_content.h"
#include "inference/prompts/prompt_renderer.h"
#include "inference/prompts/prompt_tokens.h"
#include "inference/remote/answer_stream.h"
#include "inference/remote/server_replies.h"
#include "inference/remote/server_requests.h"
#include "inference/remote/server_responder.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {
namespace {

// Turns the events of llama-server's /completion into the pieces of an answer.
//
// llama-server sends text as soon as it can be shown, with the last of the tokens to which the text belongs: while a
// character is incomplete it sends nothing, and while a stop text may have begun it sends tokens without text. If the
// tokenizer is known, it gives the text of each token, so that each probability belongs to the right part of the
// answer.
class TokenPieces {
public:
    // `tokenizer` may be null. `settings` must outlive the object. `begun` are the tokens of the answer so far.
    TokenPieces(std::shared_ptr<const text::Tokenizer> tokenizer, const GenerationSettings& settings,
                std::span<const TokenId> begun);

    // Returns the pieces that the event completes. A token that ends the answer yields none.
    [[nodiscard]] std::vector<ResponsePiece> take(ReplyChunk chunk);
    // Why the answer has ended: the reason that the server states, or EndToken after a token of
    // GenerationSettings::ends.
    [[nodiscard]] std::optional<StopReason> end() const { return m_end; }
    // Valid at the end: text that belongs to the answer although the server has held it back.
    [[nodiscard]] std::string rest() const;

private:
    [[nodiscard]] ResponsePiece pieceOf(ReplyChunk& chunk);
    [[nodiscard]] std::string bytesOf(TokenId id);

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    const GenerationSettings& m_settings;
    std::optional<text::StreamDecoder> m_decoder;
    // Pieces without text, if the tokenizer is not known: the last one may be the token that ends the answer, which
    // only the next event reveals.
    std::vector<ResponsePiece> m_silent;
    std::uint64_t m_generated = 0;
    std::string m_bytes;     // of all tokens
    std::size_t m_shown = 0; // bytes that the server has sent
    std::optional<StopReason> m_end;
};

bool contains(const std::vector<TokenId>& ids, TokenId id) { return std::ranges::find(ids, id) != ids.end(); }

TokenPieces::TokenPieces(std::shared_ptr<const text::Tokenizer> tokenizer, const GenerationSettings& settings,
                         std::span<const TokenId> begun)
    : m_tokenizer(std::move(tokenizer))
    , m_settings(settings) {
    if (m_tokenizer != nullptr) {
        m_decoder.emplace(m_tokenizer, text::DecodeOptions{.control = false, .atStart = false});
        for (const TokenId id : begun) { // which may end inside a character
            (void)m_decoder->push(id);
        }
    }
}

std::string TokenPieces::bytesOf(TokenId id) {
    // A control token that belongs to the answer is written, which the decoder would not do.
    return contains(m_settings.written, id) ? m_tokenizer->bytesOf(id) : m_decoder->push(id);
}

ResponsePiece TokenPieces::pieceOf(ReplyChunk& chunk) {
    const std::uint64_t now = chunk.generated.value_or(m_generated + 1);
    // The server sends only the last id of several tokens that make up a character; their piece has no id.
    const bool isOne = chunk.ids.size() == 1 && now == m_generated + 1;
    m_generated = now;
    ResponsePiece piece{.shown = std::move(chunk.content)};
    if (m_tokenizer != nullptr && isOne) {
        piece.token = chunk.ids.front();
        piece.bytes = bytesOf(chunk.ids.front());
    } else {
        piece.bytes = piece.shown;
        if (m_decoder) {
            m_decoder.emplace(m_tokenizer, text::DecodeOptions{.control = false, .atStart = false});
        }
    }
    if (isOne && chunk.tokens.size() == 1) {
        ReplyToken& token = chunk.tokens.front();
        piece.logProbability = token.logProbability;
        piece.afterSamplers = token.afterSamplers;
        for (ReplyCandidate& each : token.candidates) {
            const auto id = m_tokenizer != nullptr ? each.id : std::nullopt;
            piece.candidates.push_back(
                {.token = id, .text = id ? std::string() : std::move(each.text), .probability = each.probability});
        }
    }
    return piece;
}

std::vector<ResponsePiece> TokenPieces::take(ReplyChunk chunk) {
    std::vector<ResponsePiece> pieces;
    const auto release = [&] {
        pieces = std::move(m_silent);
        m_silent.clear();
        for (const ResponsePiece& piece : pieces) {
            m_bytes += piece.bytes;
        }
    };
    if (chunk.progress) {
        return pieces;
    }
    if (chunk.end) {
        m_end = chunk.end;
        if (*chunk.end == StopReason::EndToken && !m_silent.empty()) {
            m_silent.pop_back();
        }
        release();
        if (!chunk.content.empty()) { // of a server that does not stream
            pieces.push_back({.bytes = chunk.content, .shown = chunk.content});
            m_bytes += chunk.content;
            m_shown += chunk.content.size();
        }
        return pieces;
    }
    if (m_tokenizer != nullptr && chunk.ids.size() == 1 &&
        (contains(m_settings.ends, chunk.ids.front()) || m_tokenizer->endsGeneration(chunk.ids.front()))) {
        // The server does not know the tokens that end an answer by the template alone, and would continue.
        m_end = contains(m_settings.ends, chunk.ids.front()) ? std::optional(StopReason::EndToken) : std::nullopt;
        release();
        return pieces;
    }
    ResponsePiece piece = pieceOf(chunk);
    m_shown += piece.shown.size();
    if (piece.shown.empty()) {
        if (m_tokenizer == nullptr) {
            m_silent.push_back(std::move(piece));
            return pieces;
        }
    } else {
        release();
    }
    m_bytes += piece.bytes;
    pieces.push_back(std::move(piece));
    return pieces;
}

std::string TokenPieces::rest() const {
    const bool isCut = m_end == StopReason::MaxTokens || m_end == StopReason::ContextFull;
    return isCut && m_shown < m_bytes.size() ? m_bytes.substr(m_shown) : std::string();
}

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
    // The tokens of the prompt and of the answer's beginning.
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
    GUFO_TRY(
        streamAnswer(m_server, "/completion", body, readCompletionEvent, take, OddEvents::Refused, {.stop = job.stop}));
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
