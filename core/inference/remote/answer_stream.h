// An answer that a server sends event by event.
#pragma once

#include "inference/remote/server_connection.h"
#include "inference/remote/server_replies.h"

#include <functional>

namespace gufo::inference {

// Sends a request and passes each event to `take` until the answer is complete or `take` returns false. Errors: those
// of ServerConnection::stream and of `read`; ReplyUnusable (ConnectionClosed) if the reply ends before the answer does.
using ReadEvent = Result<ReplyChunk> (*)(std::string_view json);
[[nodiscard]] Result<> streamAnswer(const ServerConnection& server, std::string_view path, std::string body,
                                    ReadEvent read, const std::function<bool(ReplyChunk)>& take, const JobContext& job);

} // namespace gufo::inference
