// Translates the replies of servers from JSON: the events of llama-server's /completion and of OpenAI's
// /v1/chat/completions and /v1/completions, and the replies to /tokenize and /apply-template. Nothing that a server
// sends is trusted: members of another kind than expected are treated as missing, and a missing member that is needed
// is an error.
//
// Thread contract: pure functions.
#pragma once

#include "base/error.h"
#include "inference/interface/generation_settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct ReplyCandidate {
    std::optional<TokenId> id{};
    std::string text{}; // bytes
    double probability = 0;
};

struct ReplyToken {
    std::optional<TokenId> id{};
    std::string text{};
    std::optional<double> logProbability{};
    std::vector<ReplyCandidate> candidates{};
    bool afterSamplers = false; // as ResponsePiece::afterSamplers
};

// A part of a tool call; the arguments of one call arrive in pieces.
struct ReplyCall {
    std::optional<std::uint64_t> index{}; // empty: the server does not number calls
    std::string id{};
    std::string name{};
    std::string arguments{};
};

struct ReplyTimings {
    std::uint64_t cachedTokens = 0;
    std::uint64_t promptTokens = 0; // evaluated, not cached
    double promptSeconds = 0;
    std::uint64_t tokens = 0;
    double seconds = 0;
};

// The progress of reading the prompt, in tokens.
struct ReplyProgress {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
};

struct ReplyChunk {
    std::string content{};
    std::string reasoning{};
    std::vector<ReplyCall> calls{};
    std::vector<TokenId> ids{};                  // of the tokens of `content`, as far as they are reported
    std::vector<ReplyToken> tokens{};            // these tokens with probabilities, if they were requested
    std::optional<std::uint64_t> generated{};    // tokens of the answer so far
    std::optional<std::uint64_t> promptTokens{}; // of the whole prompt
    std::optional<ReplyTimings> timings{};
    std::optional<ReplyProgress> progress{};
    std::optional<StopReason> end{};
    bool callsTools = false; // OpenAI's finish_reason "tool_calls" or "function_call"
    bool refuses = false;    // `content` says why the model does not answer
};

// Errors: ReplyUnusable (Detail::ReplyNotJson); the errors of serverError() if the event reports one.
[[nodiscard]] Result<ReplyChunk> readCompletionEvent(std::string_view json);
// These also read the reply of a server that answers with one object instead of events. An event without choices, such
// as one that only keeps the connection open, is an empty chunk; only the first choice is read.
[[nodiscard]] Result<ReplyChunk> readChatEvent(std::string_view json);
[[nodiscard]] Result<ReplyChunk> readTextEvent(std::string_view json);
// Errors: ReplyUnusable (Detail::ReplyNotJson).
[[nodiscard]] Result<std::vector<TokenId>> readTokenizeReply(std::string_view json);
[[nodiscard]] Result<std::string> readTemplateReply(std::string_view json);

// The error that a reply with the HTTP status `status` reports; 0 stands for an event in a stream. LimitExceeded
// (Detail::ContextTokens, tokens, limit) if the prompt is too long, otherwise HttpStatus.
[[nodiscard]] Error serverError(int status, std::string_view body);

} // namespace gufo::inference
