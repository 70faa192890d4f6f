// Reads bytes as a stream of events from a server, in pieces of several sizes, and the bytes and each event as every
// kind of reply.
#include "inference/interface/server_facts.h"
#include "inference/remote/server_connection.h"
#include "inference/remote/server_replies.h"
#include "inference/remote/sse_parser.h"
#include "require.h"

#include <algorithm>
#include <functional>
#include <iterator>

using namespace gufo;
using namespace gufo::inference;

namespace {

std::vector<SseEvent> eventsOf(std::string_view stream, std::size_t size) {
    SseParser parser;
    std::vector<SseEvent> all;
    for (std::size_t at = 0; at < stream.size(); at += size) {
        auto events = parser.push(stream.substr(at, size));
        require(events.has_value()); // no input is as long as the limit
        std::ranges::move(*events, std::back_inserter(all));
    }
    return all;
}

void checkTokens(const std::vector<ReplyToken>& tokens) {
    for (const ReplyToken& token : tokens) {
        require(!token.logProbability || *token.logProbability <= 0);
        require(std::ranges::is_sorted(token.candidates, std::ranges::greater(), &ReplyCandidate::probability));
        for (const ReplyCandidate& each : token.candidates) {
            require(each.probability >= 0 && each.probability <= 1);
        }
    }
}

void readAll(std::string_view text) {
    for (const auto& chunk : {readCompletionEvent(text), readChatEvent(text), readTextEvent(text)}) {
        if (chunk) {
            checkTokens(chunk->tokens);
            require(!chunk->progress || chunk->progress->done <= chunk->progress->total);
        }
    }
    (void)readTokenizeReply(text);
    (void)readTemplateReply(text);
    (void)serverError(500, text);
    ServerFacts facts;
    (void)readProps(text, facts);
    (void)readModelList(text, facts);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto whole = eventsOf(text, std::max<std::size_t>(size, 1));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}}) {
        require(eventsOf(text, piece) == whole);
    }
    readAll(text);
    for (const SseEvent& event : whole) {
        readAll(event.data);
    }
    return 0;
}
