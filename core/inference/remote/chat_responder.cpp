// The responder for servers that have only OpenAI's protocol: /v1/chat/completions.
#include "base/detail.h"
#include "inference/remote/answer_stream.h"
#include "inference/remote/json_members.h"
#include "inference/remote/server_requests.h"
#include "inference/remote/server_responder.h"
#include "inference/session/seconds_since.h"

#include <chrono>
#include <map>

namespace gufo::inference {
namespace {

using Clock = std::chrono::steady_clock;

// Writes reasoning and tool calls, which the protocol sends separately, in the form in which models write them and
// text::AnswerParser finds them.
class AnswerText {
public:
    [[nodiscard]] std::string take(const ReplyChunk& chunk) {
        std::string text;
        if (!chunk.reasoning.empty()) {
            text += m_thinks ? "" : "<think>\n";
            text += chunk.reasoning;
            m_thinks = true;
        }
        if (m_thinks && (!chunk.content.empty() || !chunk.calls.empty() || chunk.end)) {
            text += "\n</think>\n";
            m_thinks = false;
        }
        text += chunk.content;
        for (const ReplyCall& part : chunk.calls) {
            ReplyCall& call = m_calls[part.index];
            call.name += part.name;
            call.arguments += part.arguments;
        }
        return text;
    }
    // Valid at the end: the calls, whose arguments are complete only then.
    [[nodiscard]] std::string calls() const {
        std::string text;
        for (const auto& [index, call] : m_calls) {
            const bool isJson = readJson(call.arguments).has_value();
            JsonMembers members;
            members.text("name", call.name);
            members.raw("arguments", isJson ? call.arguments : quotedJson(call.arguments));
            text += "\n<tool_call>\n" + members.object() + "\n</tool_call>";
        }
        return text;
    }

private:
    bool m_thinks = false;
    std::map<std::uint64_t, ReplyCall> m_calls;
};

ResponsePiece pieceOf(ReplyToken token) {
    ResponsePiece piece{.bytes = token.text, .shown = std::move(token.text), .logProbability = token.logProbability};
    for (ReplyCandidate& each : token.candidates) {
        piece.candidates.push_back({.text = std::move(each.text), .probability = each.probability});
    }
    return piece;
}

// One piece for each token, if the tokens make up the text; otherwise one for all of it.
std::vector<ResponsePiece> piecesOf(std::string text, std::vector<ReplyToken> tokens) {
    std::string joined;
    for (const ReplyToken& token : tokens) {
        joined += token.text;
    }
    std::vector<ResponsePiece> pieces;
    if (!tokens.empty() && joined == text) {
        for (ReplyToken& token : tokens) {
            pieces.push_back(pieceOf(std::move(token)));
        }
    } else if (!text.empty()) {
        pieces.push_back({.bytes = text, .shown = std::move(text)});
    }
    return pieces;
}

class ChatResponder final : public Responder {
public:
    ChatResponder(ResponderFacts facts, ServerConnection server)
        : m_facts(std::move(facts))
        , m_server(std::move(server)) {}

    [[nodiscard]] const ResponderFacts& facts() const override { return m_facts; }
    [[nodiscard]] Result<Response> respond(const ResponseRequest& request, const ResponseListener& listener,
                                           const JobContext& job) override;

private:
    ResponderFacts m_facts;
    ServerConnection m_server;
};

Result<Response> ChatResponder::respond(const ResponseRequest& request, const ResponseListener& listener,
                                        const JobContext& job) {
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    if (chat == nullptr || !request.begun.text.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::Message});
    }
    const std::string_view schema =
        request.grammar != nullptr ? std::string_view(request.grammar->jsonSchema) : std::string_view();
    if (request.grammar != nullptr && schema.empty()) {
        return fail(ErrorCode::NotSupported, {}, {std::string("GBNF")});
    }
    Response response;
    ResponseFigures& figures = response.figures;
    if (listener.promptMade) {
        listener.promptMade({}, figures);
    }
    const auto begun = Clock::now();
    std::optional<Clock::time_point> read;
    AnswerText answer;
    bool wanted = true;
    const auto give = [&](std::vector<ResponsePiece> pieces) {
        for (ResponsePiece& piece : pieces) {
            ++figures.tokens; // an estimate, which the usage at the end replaces
            wanted = wanted && (!listener.piece || listener.piece(std::move(piece), figures));
        }
    };
    const auto take = [&](ReplyChunk chunk) {
        figures.promptTokens = chunk.promptTokens.value_or(figures.promptTokens);
        figures.readTokens = figures.promptTokens;
        figures.tokens = chunk.generated.value_or(figures.tokens);
        if (chunk.timings) {
            takeTimings(*chunk.timings, figures);
        }
        std::string text = answer.take(chunk);
        if (!text.empty() && !read) {
            read = Clock::now();
            figures.readSeconds = secondsSince(begun);
            if (listener.promptRead) {
                listener.promptRead(figures);
            }
        }
        figures.seconds = read ? generationSeconds(secondsSince(*read), figures) : 0;
        response.reason = chunk.end ? chunk.end : response.reason;
        give(piecesOf(std::move(text), std::move(chunk.tokens)));
        return wanted;
    };
    const std::string_view model = m_facts.server->models.empty() ? std::string_view() : m_facts.server->models.front();
    const auto done = streamAnswer(m_server, "/v1/chat/completions", chatBody(*chat, request.settings, model, schema),
                                   readChatEvent, take, {.stop = job.stop});
    if (!done && done.error().code != ErrorCode::Cancelled) {
        return std::unexpected(done.error());
    }
    if (!done || !wanted) {
        response.reason.reset();
        return response;
    }
    response.rest = answer.calls();
    response.reason = response.reason.value_or(StopReason::EndToken);
    return response;
}

} // namespace

std::unique_ptr<Responder> makeChatResponder(ResponderFacts facts, ServerConnection server) {
    return std::make_unique<ChatResponder>(std::move(facts), std::move(server));
}

} // namespace gufo::inference
