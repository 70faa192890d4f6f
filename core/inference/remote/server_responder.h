// Responders over HTTP. llama-server receives token ids and reports candidates, which branching and colouring tokens by
// probability need. A server that has only OpenAI's protocol receives conversations.
//
// A server runs its own copy of a model. Only if that is the model of the open file (ServerMatch::model) are the file's
// tokenizer and token ids used; otherwise the server tokenizes, its tokens are reported as texts, and a branch is sent
// as text.
//
// Thread contract: as for Responder.
#pragma once

#include "inference/interface/responder.h"
#include "inference/remote/server_connection.h"

namespace gufo::inference {

// The capabilities of the best case, llama-server with the open file's model.
inline constexpr EngineCapabilities kServerCapabilities{.scores = Scores::Candidates,
                                                        .input = Input::Tokens,
                                                        .grammars = true,
                                                        .engineTemplate = true,
                                                        .afterSamplers = true,
                                                        .scoresTokens = true};
inline constexpr EngineCapabilities kOpenAiCapabilities{.scores = Scores::Candidates,
                                                        .input = Input::Conversation,
                                                        .schemas = true,
                                                        .completes = true,
                                                        .allSamplers = false};

// Probes the server that `options` names. Errors: AddressRefused without an address; the errors of probeServer();
// Cancelled. A tokenizer that does not work is not an error: texts are sent instead of ids.
[[nodiscard]] Result<std::unique_ptr<Responder>> openServer(const std::shared_ptr<const Model>& model,
                                                            const SessionOptions& options, const JobContext& job);

// Used by openServer().
[[nodiscard]] std::unique_ptr<Responder> makeLlamaResponder(ResponderFacts facts, ServerConnection server);
[[nodiscard]] std::unique_ptr<Responder> makeChatResponder(ResponderFacts facts, ServerConnection server);

} // namespace gufo::inference
