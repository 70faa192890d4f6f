// An answer that a server sends event by event.
//
// Thread contract: as for ServerConnection.
#pragma once

#include "inference/interface/responder.h"
#include "inference/remote/server_connection.h"
#include "inference/remote/server_replies.h"

#include <functional>

namespace gufo::inference {

using ReadEvent = std::function<Result<ReplyChunk>(std::string_view json)>;
// An event that `read` cannot use (ReplyUnusable) is the error of the answer, or is skipped as long as others can be
// used.
enum class OddEvents : std::uint8_t { Refused, Skipped };
// Sends a request and passes each event to `take` until the answer is complete or `take` returns false. A server may
// also answer with one object, which `take` receives like an event. Returns the number of events that were skipped.
// Errors: the errors of ServerConnection::stream and of `read`; the error that the server reports as an event;
// ReplyUnusable (Detail::ReplyNotJson) if nothing could be used, (Detail::ConnectionClosed) if the reply ends before
// the answer does.
[[nodiscard]] Result<std::size_t> streamAnswer(const ServerConnection& server, std::string_view path, std::string body,
                                               const ReadEvent& read, const std::function<bool(ReplyChunk)>& take,
                                               OddEvents odd, const JobContext& job);
// `read` for events of OpenAI's protocol, which mends their JSON if it has to (json_repair.h).
[[nodiscard]] ReadEvent mending(Result<ReplyChunk> (*read)(std::string_view json));

// The time that the tokens after the first have taken: `sinceFirst`, as measured on this computer, or the time that the
// server has measured, whichever is longer. Several tokens may arrive together, within microseconds, so that
// `sinceFirst` may be far too short. 0, which means "not known", until there is enough to measure.
[[nodiscard]] double generationSeconds(double sinceFirst, const ResponseFigures& figures);

// Replaces the figures that the server measures itself.
void takeTimings(const ReplyTimings& timings, ResponseFigures& figures);

} // namespace gufo::inference
