// Determines the protocol of a server and the model that it runs.
//
// Thread contract: that of ServerConnection.
#pragma once

#include "inference/interface/server_facts.h"
#include "inference/remote/server_connection.h"

namespace gufo::inference {

// Requests /health, /props and /v1/models, for which the server computes nothing. A server that has only the last of
// them speaks OpenAI's protocol. Errors: those of ServerConnection; HttpStatus with 503 while the model is being
// loaded.
[[nodiscard]] Result<ServerFacts> probeServer(const ServerConnection& server, const JobContext& job);

// Add the reply to /props or /v1/models to `facts`. Errors: ReplyUnusable (Detail::ReplyNotJson).
[[nodiscard]] Result<> readProps(std::string_view json, ServerFacts& facts);
[[nodiscard]] Result<> readModelList(std::string_view json, ServerFacts& facts);

} // namespace gufo::inference
