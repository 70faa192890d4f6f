#include "inference/remote/server_replies.h"

#include "base/detail.h"
#include "base/server_words.h"
#include "base/utf8.h"
#include "inference/remote/reply_members.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gufo::inference {
namespace {

using Kind = JsonValue::Kind;

constexpr std::size_t kMaxMessageBytes = 300;

std::unexpected<Error> malformed() { return fail(ErrorCode::ReplyUnusable, {}, {Detail::ReplyNotJson}); }

Result<JsonValue> readObject(std::string_view json) {
    auto value = readJson(json);
    if (!value || !value->is(Kind::Object)) {
        return malformed();
    }
    return value;
}

std::optional<TokenId> idOf(const JsonValue& number) {
    const auto whole = number.whole();
    return whole && *whole >= 0 && *whole <= std::numeric_limits<std::int32_t>::max()
               ? std::optional(TokenId(static_cast<std::size_t>(*whole)))
               : std::nullopt;
}

// The bytes of a token, which need not be UTF-8; its text where they are missing.
std::string bytesOf(const JsonValue& token) {
    const JsonValue* list = replyMember(&token, "bytes", Kind::Array);
    std::string bytes;
    for (const JsonValue& each : list != nullptr ? list->elements : std::vector<JsonValue>()) {
        const auto byte = each.whole();
        if (!byte || *byte < 0 || *byte > 0xFF) {
            return replyText(&token, "token");
        }
        bytes += static_cast<char>(*byte);
    }
    return list != nullptr && !bytes.empty() ? bytes : replyText(&token, "token");
}

std::optional<TokenId> idIn(const JsonValue& token) {
    const JsonValue* id = replyMember(&token, "id", Kind::Number);
    return id != nullptr ? idOf(*id) : std::nullopt;
}

// A number outside of 0 to 1 is not a probability, except that rounding may exceed 1.
std::optional<double> probabilityIn(const JsonValue& token, bool& afterSamplers) {
    constexpr double kRounding = 1e-3;
    std::optional<double> probability = replyReal(&token, "prob");
    afterSamplers = probability.has_value();
    if (!probability) {
        const auto log = replyReal(&token, "logprob");
        probability = log ? std::optional(std::exp(*log)) : std::nullopt;
    }
    return probability && *probability >= 0 && *probability <= 1 + kRounding
               ? std::optional(std::min(*probability, 1.0))
               : std::nullopt;
}

// An entry of llama-server's completion_probabilities or of OpenAI's logprobs.content.
ReplyToken tokenOf(const JsonValue& entry) {
    ReplyToken token{.id = idIn(entry), .text = bytesOf(entry)};
    if (const auto probability = probabilityIn(entry, token.afterSamplers)) {
        // A server may report zero for a token that it has drawn, because of rounding.
        constexpr double kMinimum = 1e-300;
        token.logProbability = std::log(std::max(*probability, kMinimum));
        if (const auto log = replyReal(&entry, "logprob"); log && !token.afterSamplers) {
            token.logProbability = std::min(*log, 0.0);
        }
    }
    const JsonValue* top = replyMember(&entry, token.afterSamplers ? "top_probs" : "top_logprobs", Kind::Array);
    for (const JsonValue& each : top != nullptr ? top->elements : std::vector<JsonValue>()) {
        bool after = false;
        if (const auto probability = probabilityIn(each, after)) {
            token.candidates.push_back({.id = idIn(each), .text = bytesOf(each), .probability = *probability});
        }
    }
    std::ranges::sort(token.candidates, std::ranges::greater(), &ReplyCandidate::probability);
    return token;
}

std::vector<ReplyToken> tokensOf(const JsonValue* list) {
    std::vector<ReplyToken> tokens;
    for (const JsonValue& entry : list != nullptr ? list->elements : std::vector<JsonValue>()) {
        if (entry.is(Kind::Object)) {
            tokens.push_back(tokenOf(entry));
        }
    }
    return tokens;
}

std::optional<ReplyTimings> timingsOf(const JsonValue& event) {
    const JsonValue* timings = replyMember(&event, "timings", Kind::Object);
    if (timings == nullptr) {
        return std::nullopt;
    }
    const auto seconds = [&](std::string_view name) {
        return std::clamp(replyReal(timings, name).value_or(0), 0.0, 1e12) / 1000;
    };
    return ReplyTimings{.cachedTokens = replyCount(timings, "cache_n").value_or(0),
                        .promptTokens = replyCount(timings, "prompt_n").value_or(0),
                        .promptSeconds = seconds("prompt_ms"),
                        .tokens = replyCount(timings, "predicted_n").value_or(0),
                        .seconds = seconds("predicted_ms")};
}

StopReason endOfCompletion(const JsonValue& event) {
    const std::string kind = replyText(&event, "stop_type");
    return kind == "word"                   ? StopReason::StopText
           : kind != "limit"                ? StopReason::EndToken
           : replyFlag(&event, "truncated") ? StopReason::ContextFull
                                            : StopReason::MaxTokens;
}

const JsonValue* presentMember(const JsonValue& object, std::string_view name) {
    const JsonValue* found = object.is(Kind::Object) ? object.find(name) : nullptr;
    return found != nullptr && !found->is(Kind::Null) ? found : nullptr;
}

// Whether the event reports an error: {"error": …}, or as FastAPI and vLLM do it.
bool isError(const JsonValue& event) {
    return presentMember(event, "error") != nullptr || replyText(&event, "object") == "error" ||
           (presentMember(event, "detail") != nullptr && presentMember(event, "choices") == nullptr);
}

Result<JsonValue> readEvent(std::string_view json) {
    auto event = readObject(json);
    if (event && isError(*event)) {
        return std::unexpected(serverError(0, json));
    }
    return event;
}

// FastAPI's "detail": a text, or a list of problems, each with its place in the request.
std::string detailWords(const JsonValue& detail) {
    if (detail.is(Kind::String)) {
        return detail.text;
    }
    std::string words;
    for (const JsonValue& problem : detail.elements) {
        std::string place;
        const JsonValue* path = replyMember(&problem, "loc", Kind::Array);
        for (const JsonValue& part : path != nullptr ? path->elements : std::vector<JsonValue>()) {
            place += (place.empty() ? "" : ".") + part.text;
        }
        words += (words.empty() ? "" : "; ") + (place.empty() ? "" : place + ": ") + replyText(&problem, "msg");
    }
    return words.empty() ? replyText(&detail, "msg") + replyText(&detail, "message") : words;
}

std::string wordsOf(std::string_view body) {
    std::string words;
    if (const auto reply = readJson(body); reply && reply->is(Kind::Object)) {
        const JsonValue* error = presentMember(*reply, "error");
        const JsonValue* detail = presentMember(*reply, "detail");
        words = error != nullptr && error->is(Kind::String) ? error->text : replyText(error, "message");
        words = words.empty() ? replyText(&*reply, "message") : words;
        words = words.empty() && detail != nullptr ? detailWords(*detail) : words;
    }
    words = words.empty() ? errorWords(body) : words;
    return words.substr(0, cutBetweenCharacters(words, std::min(words.size(), kMaxMessageBytes)));
}

// The texts of a list of parts, such as {"type": "text", "text": "…"} or Mistral's {"type": "thinking", "thinking":
// […]}.
void addParts(const JsonValue& parts, bool thinks, ReplyChunk& chunk) {
    for (const JsonValue& part : parts.elements) {
        const bool isThought =
            thinks || replyText(&part, "type") == "thinking" || replyText(&part, "type") == "reasoning";
        std::string& to = isThought ? chunk.reasoning : chunk.content;
        to += part.is(Kind::String) ? part.text : replyText(&part, "text");
        if (const std::string refusal = replyText(&part, "refusal"); !refusal.empty()) {
            chunk.content += refusal;
            chunk.refuses = true;
        }
        to += replyText(&part, "thinking");
        if (const JsonValue* thoughts = replyMember(&part, "thinking", Kind::Array)) {
            addParts(*thoughts, true, chunk);
        }
    }
}

std::string argumentsOf(const JsonValue* function) {
    const JsonValue* object = replyMember(function, "arguments", Kind::Object);
    return object != nullptr ? writeJson(*object) : replyText(function, "arguments");
}

void addCalls(const JsonValue* delta, ReplyChunk& chunk) {
    if (const JsonValue* calls = replyMember(delta, "tool_calls", Kind::Array)) {
        for (const JsonValue& call : calls->elements) {
            const JsonValue* function = replyMember(&call, "function", Kind::Object);
            chunk.calls.push_back({.index = replyCount(&call, "index"),
                                   .id = replyText(&call, "id"),
                                   .name = replyText(function, "name"),
                                   .arguments = argumentsOf(function)});
        }
    }
    // The form that preceded tool calls in OpenAI's protocol.
    if (const JsonValue* function = replyMember(delta, "function_call", Kind::Object)) {
        chunk.calls.push_back(
            {.index = 0, .id = {}, .name = replyText(function, "name"), .arguments = argumentsOf(function)});
    }
}

void addEnd(const JsonValue& choice, ReplyChunk& chunk) {
    const std::string reason = replyText(&choice, "finish_reason");
    if (reason.empty()) {
        return;
    }
    chunk.end = reason == "length"           ? StopReason::MaxTokens
                : reason == "content_filter" ? StopReason::ContentFilter
                                             : StopReason::EndToken;
    chunk.callsTools = reason == "tool_calls" || reason == "function_call";
}

// The first choice: the only one that is asked for. Null if an event has none.
const JsonValue* firstChoiceOf(const JsonValue& event) {
    const JsonValue* choices = replyMember(&event, "choices", Kind::Array);
    if (choices == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(
        choices->elements, [](const JsonValue& choice) { return replyCount(&choice, "index").value_or(0) == 0; });
    return found != choices->elements.end() ? &*found : nullptr;
}

ReplyChunk withoutChoice(const JsonValue& event) {
    const JsonValue* usage = replyMember(&event, "usage", Kind::Object);
    return {.generated = replyCount(usage, "completion_tokens"),
            .promptTokens = replyCount(usage, "prompt_tokens"),
            .timings = timingsOf(event)};
}

// The tokens of /v1/completions, whose texts, logarithms and candidates are in lists of their own.
std::vector<ReplyToken> textTokensOf(const JsonValue* logprobs) {
    std::vector<ReplyToken> tokens;
    const JsonValue* texts = replyMember(logprobs, "tokens", Kind::Array);
    const JsonValue* logs = replyMember(logprobs, "token_logprobs", Kind::Array);
    const JsonValue* tops = replyMember(logprobs, "top_logprobs", Kind::Array);
    for (std::size_t i = 0; texts != nullptr && i < texts->elements.size(); ++i) {
        ReplyToken token{.text = texts->elements[i].text};
        const auto log = logs != nullptr && i < logs->elements.size() ? logs->elements[i].real() : std::nullopt;
        token.logProbability = log && *log <= 0 ? log : std::nullopt;
        if (tops != nullptr && i < tops->elements.size()) {
            for (const auto& [text, value] : tops->elements[i].members) {
                if (const auto real = value.real(); real && *real <= 0) {
                    token.candidates.push_back({.text = text, .probability = std::exp(*real)});
                }
            }
            std::ranges::sort(token.candidates, std::ranges::greater(), &ReplyCandidate::probability);
        }
        tokens.push_back(std::move(token));
    }
    return tokens;
}

} // namespace

Result<ReplyChunk> readCompletionEvent(std::string_view json) {
    const auto event = GUFO_TRY(readEvent(json));
    ReplyChunk chunk{.content = replyText(&event, "content"),
                     .tokens = tokensOf(replyMember(&event, "completion_probabilities", Kind::Array)),
                     .generated = replyCount(&event, "tokens_predicted"),
                     .promptTokens = replyCount(&event, "tokens_evaluated"),
                     .timings = timingsOf(event)};
    const JsonValue* progress = replyMember(&event, "prompt_progress", Kind::Object);
    const JsonValue* ids = replyMember(&event, "tokens", Kind::Array);
    if (progress == nullptr && ids != nullptr) { // an event about progress has a placeholder in place of a token
        for (const JsonValue& each : ids->elements) {
            const auto id = idOf(each);
            if (!id) {
                return malformed();
            }
            chunk.ids.push_back(*id);
        }
    }
    if (progress != nullptr) {
        const auto total = replyCount(progress, "total").value_or(0);
        chunk.progress = {.done = std::min(replyCount(progress, "processed").value_or(0), total), .total = total};
    }
    if (replyFlag(&event, "stop")) {
        chunk.end = endOfCompletion(event);
    } else if (!chunk.progress && replyMember(&event, "content", Kind::String) == nullptr) {
        return malformed();
    }
    return chunk;
}

Result<ReplyChunk> readChatEvent(std::string_view json) {
    const auto event = GUFO_TRY(readEvent(json));
    ReplyChunk chunk = withoutChoice(event);
    const JsonValue* choice = firstChoiceOf(event);
    if (choice == nullptr) {
        return chunk;
    }
    const JsonValue* delta = replyMember(choice, "delta", Kind::Object);
    delta = delta != nullptr ? delta : replyMember(choice, "message", Kind::Object);
    chunk.reasoning = replyText(delta, "reasoning_content");
    chunk.reasoning += chunk.reasoning.empty() ? replyText(delta, "reasoning") : std::string();
    chunk.content = replyText(delta, "content");
    if (const JsonValue* parts = replyMember(delta, "content", Kind::Array)) {
        addParts(*parts, false, chunk);
    }
    if (const std::string refusal = replyText(delta, "refusal"); !refusal.empty()) {
        chunk.content += refusal;
        chunk.refuses = true;
    }
    addCalls(delta, chunk);
    chunk.tokens = tokensOf(replyMember(replyMember(choice, "logprobs", Kind::Object), "content", Kind::Array));
    addEnd(*choice, chunk);
    return chunk;
}

Result<ReplyChunk> readTextEvent(std::string_view json) {
    const auto event = GUFO_TRY(readEvent(json));
    ReplyChunk chunk = withoutChoice(event);
    if (const JsonValue* choice = firstChoiceOf(event)) {
        chunk.content = replyText(choice, "text");
        chunk.tokens = textTokensOf(replyMember(choice, "logprobs", Kind::Object));
        addEnd(*choice, chunk);
    }
    return chunk;
}

Result<std::vector<TokenId>> readTokenizeReply(std::string_view json) {
    // A long prompt has more tokens than readJson() allows values, so they are read one by one.
    std::vector<TokenId> ids;
    JsonReader reader(json);
    bool found = false;
    const auto token = [&](JsonReader::Token kind) -> Result<> {
        const JsonValue number{.kind = Kind::Number, .text = reader.text()};
        const auto id = kind == JsonReader::Token::Number ? idOf(number) : std::nullopt;
        if (!id) {
            return malformed();
        }
        ids.push_back(*id);
        return {};
    };
    const auto first = reader.next();
    if (!first || *first != JsonReader::Token::ObjectStart) {
        return malformed();
    }
    const auto read = reader.readMembers([&]() -> Result<> {
        if (reader.text() != "tokens") {
            return reader.skipValue();
        }
        const auto list = reader.next();
        if (!list || *list != JsonReader::Token::ArrayStart) {
            return malformed();
        }
        found = true;
        return reader.readElements(token);
    });
    if (!read || !found) {
        return malformed();
    }
    return ids;
}

Result<std::string> readTemplateReply(std::string_view json) {
    const auto reply = readObject(json);
    const JsonValue* prompt = reply ? replyMember(&*reply, "prompt", Kind::String) : nullptr;
    if (prompt == nullptr) {
        return malformed();
    }
    return prompt->text;
}

Error serverError(int status, std::string_view body) {
    const auto reply = readJson(body);
    const JsonValue* error = reply ? replyMember(&*reply, "error", Kind::Object) : nullptr;
    const auto needed = replyCount(error, "n_prompt_tokens");
    const auto limit = replyCount(error, "n_ctx");
    if (needed && limit) {
        return {ErrorCode::LimitExceeded, {}, {}, {Detail::ContextTokens, *needed, *limit}, 0};
    }
    // An event in a stream may state the code; the status of its reply said that all is well.
    constexpr int kWell = 200;
    auto stated = status != 0 ? std::nullopt : replyCount(error, "code");
    stated = stated || status != 0 || !reply ? stated : replyCount(&*reply, "code");
    const int code = stated && *stated < 1000 ? static_cast<int>(*stated) : status != 0 ? status : kWell;
    return {ErrorCode::HttpStatus, {}, {}, {code, wordsOf(body)}, 0};
}

} // namespace gufo::inference
