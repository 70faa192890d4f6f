// Links tool results to tool calls. Some templates (Mistral's, Command R's) require each call to have an identifier,
// and each message of the role "tool" to name the call that it answers.
//
// Thread contract: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace gufo::text {

// `messages` is a JSON list as messagesJson() writes it. A function call without an "id" gets one of nine letters and
// digits, as Mistral's templates require. A tool message without a "tool_call_id" gets the id of the first preceding
// call that has no result yet, and the function's "name". Nothing else changes, byte for byte; any other text is
// returned as it is.
[[nodiscard]] std::string linkToolCalls(std::string messages);

// Gives each call of a list an "id" that `conversation`, a JSON list of messages, does not contain; calls that have one
// keep it.
[[nodiscard]] std::string identifyCalls(std::string calls, std::string_view conversation);

} // namespace gufo::text
