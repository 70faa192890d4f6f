// The responder for servers that have only OpenAI's protocol: /v1/chat/completions for conversations, and
// /v1/completions for texts.
#include "base/detail.h"
#include "inference/grammar/grammar.h"
#include "inference/interface/session.h"
#include "inference/remote/answer_stream.h"
#include "inference/remote/json_members.h"
#include "inference/remote/server_requests.h"
#include "inference/remote/server_responder.h"

#include <algorithm>
#include <chrono>

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
            ReplyCall& call = callOf(part);
            call.id = part.id.empty() ? call.id : part.id;
            call.name += call.name == part.name ? std::string() : part.name; // some servers repeat it
            call.arguments += part.arguments;
        }
        return text;
    }
    // Valid at the end: the calls, whose arguments are complete only then.
    [[nodiscard]] std::string calls() const {
        std::string text;
        for (const ReplyCall& call : m_calls) {
            const std::string_view arguments = call.arguments.empty() ? "{}" : std::string_view(call.arguments);
            const bool isJson = readJson(arguments).has_value();
            JsonMembers members;
            members.text("name", call.name);
            members.raw("arguments", isJson ? std::string(arguments) : quotedJson(arguments));
            text += "\n<tool_call>\n" + members.object() + "\n</tool_call>";
        }
        return text;
    }

private:
    // The call that a part belongs to. Servers leave out numbers, or give all calls the same one and different ids.
    ReplyCall& callOf(const ReplyCall& part) {
        const auto found = std::find_if(m_calls.rbegin(), m_calls.rend(), [&](const ReplyCall& call) {
            const bool sameId = part.id.empty() || call.id.empty() || part.id == call.id;
            return part.index        ? part.index == call.index && sameId
                   : part.id.empty() ? part.name.empty()
                                     : part.id == call.id;
        });
        if (found != m_calls.rend()) {
            return *found;
        }
        m_calls.push_back({.index = part.index, .id = part.id, .name = {}, .arguments = {}});
        return m_calls.back();
    }

    bool m_thinks = false;
    std::vector<ReplyCall> m_calls;
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
    if (chat != nullptr && !request.begun.text.empty()) {
        return fail(ErrorCode::NotSupported, {}, {Detail::Message});
    }
    if (chat == nullptr && request.grammar != nullptr) {
        return fail(ErrorCode::NotSupported, {}, {std::string("response_format, /v1/completions")});
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
    bool refuses = false;
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
        refuses |= chunk.refuses;
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
    const auto done =
        chat != nullptr
            ? streamAnswer(m_server, "/v1/chat/completions", chatBody(*chat, request.settings, model, schema),
                           mending(readChatEvent), take, OddEvents::Skipped, {.stop = job.stop})
            : streamAnswer(
                  m_server, "/v1/completions",
                  textBody(std::get<std::string>(request.prompt) + request.begun.text, request.settings, model),
                  mending(readTextEvent), take, OddEvents::Skipped, {.stop = job.stop});
    if (!done && done.error().code != ErrorCode::Cancelled) {
        return std::unexpected(done.error());
    }
    if (!done || !wanted) {
        response.reason.reset();
        return response;
    }
    response.rest = answer.calls();
    response.reason = response.reason.value_or(StopReason::EndToken);
    if (refuses && response.reason == StopReason::EndToken) {
        response.reason = StopReason::Refusal;
    }
    response.skippedEvents = *done;
    return response;
}

} // namespace

std::unique_ptr<Responder> makeChatResponder(ResponderFacts facts, ServerConnection server) {
    return std::make_unique<ChatResponder>(std::move(facts), std::move(server));
}

} // namespace gufo::inference
