// The bodies of requests to servers: llama-server's /completion, /tokenize and /apply-template, and OpenAI's
// /v1/chat/completions and /v1/completions.
//
// Thread contract: pure functions.
#pragma once

#include "inference/interface/responder.h"

#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

// The prompt that llama-server continues, and what it reports about each token.
struct CompletionRequest {
    std::span<const TokenId> prompt{};
    const GenerationSettings* settings = nullptr; // not null
    std::string_view grammar{};                   // empty: none
    std::span<const std::string> written{};       // texts of control tokens that belong to the answer
    bool afterSamplers = false;                   // as ResponseRequest::afterSamplers
    std::uint32_t context = 0;                    // of the server, in tokens; 0: not known
};
[[nodiscard]] std::string completionBody(const CompletionRequest& request);

// Asks for the probability of `next` after `prompt`: one token is generated, and a bias makes `next` certain. A bias
// does not change the probabilities that the server reports, which are those before the samplers. `candidates` is the
// number of other probabilities.
[[nodiscard]] std::string scoreBody(std::span<const TokenId> prompt, TokenId next, std::size_t candidates);

// `addSpecial`: the server adds the tokens that its model needs at the beginning of a text.
[[nodiscard]] std::string tokenizeBody(std::string_view text, bool addSpecial);
[[nodiscard]] std::string applyTemplateBody(const ChatPrompt& chat);

// A conversation for a server that applies its chat template itself. Only the settings that OpenAI's protocol has are
// sent. Earlier reasoning is omitted. `candidates` is limited to the 20 that the protocol allows; probabilities are not
// requested together with tools, which several servers refuse. `jsonSchema`, if not empty, is the schema of the answer.
[[nodiscard]] std::string chatBody(const ChatPrompt& chat, const GenerationSettings& settings, std::string_view model,
                                   std::string_view jsonSchema = {});

// A text for a server to continue with /v1/completions. `candidates` is limited to the 5 that the protocol allows.
[[nodiscard]] std::string textBody(std::string_view prompt, const GenerationSettings& settings, std::string_view model);

} // namespace gufo::inference
