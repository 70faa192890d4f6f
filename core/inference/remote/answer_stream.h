// An answer that a server sends event by event.
//
// Thread contract: that of ServerConnection.
#pragma once

#include "inference/remote/server_connection.h"
#include "inference/remote/server_replies.h"
#include "inference/session/responder.h"

#include <functional>

namespace gufo::inference {

using ReadEvent = Result<ReplyChunk> (*)(std::string_view json);
// Sends a request and passes each event to `take` until the answer is complete or `take` returns false. Errors: those
// of ServerConnection::stream and of `read`; ReplyUnusable (Detail::ConnectionClosed) if the reply ends before the
// answer does.
[[nodiscard]] Result<> streamAnswer(const ServerConnection& server, std::string_view path, std::string body,
                                    ReadEvent read, const std::function<bool(ReplyChunk)>& take, const JobContext& job);

// The time that the tokens after the first have taken, of which `sinceFirst` has passed on this computer. Several
// tokens may arrive together, within microseconds, so that the longer time of what the server measures itself counts.
// 0, which means "not known", until there is enough to measure.
[[nodiscard]] double generationSeconds(double sinceFirst, const ResponseFigures& figures);

// Replaces the figures that the server measures itself.
void takeTimings(const ReplyTimings& timings, ResponseFigures& figures);

} // namespace gufo::inference
