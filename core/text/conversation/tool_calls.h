// Which result belongs to which tool call: templates (Mistral's, Command R's) want each call to have an identifier, and
// each message of the role "tool" to name the call that it answers.
//
// Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace gufo::text {

// `messages`: JSON, a list as messagesJson() writes it. Calls of a "function" without an "id" get one of nine letters
// and digits, which is what Mistral's templates insist on; a tool message without a "tool_call_id" gets that of the
// first call before it that has no result yet, with the function's "name". What is there already stays, and so does
// every other byte; text that is no such list comes back as it is.
[[nodiscard]] std::string linkToolCalls(std::string messages);

} // namespace gufo::text
