// Splits a stream of server-sent events (WHATWG HTML, section 9.2) into the data of its events. The bytes may arrive in
// pieces of any size: a line end or a character may be split between two pieces.
//
//     SseParser parser;
//     auto events = parser.push(bytes);
//     for (const std::string& data : *events) … "{…}" or "[DONE]" …
//
// Comments, names, ids and retry times are skipped, because neither llama-server nor OpenAI's protocol gives them a
// meaning. An event that the stream's end cuts off is dropped, as the standard requires.
//
// Thread contract: one thread at a time.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class SseParser {
public:
    // More than any server sends in one event: a server that never ends a line must not fill the memory.
    static constexpr std::size_t kMaxEventBytes = 16U << 20U;

    // Returns the data of the events that `bytes` completes; the lines of an event's data are joined by "\n". Errors:
    // ReplyUnusable (Detail::ReplyTooLong).
    [[nodiscard]] Result<std::vector<std::string>> push(std::string_view bytes);

private:
    void takeLine(std::string_view line, std::vector<std::string>& events);

    std::string m_line; // the incomplete last line
    std::string m_data; // of the incomplete event, with "\n" after each line
    bool m_atStart = true;
    bool m_afterCr = false; // an LF that follows belongs to the same line end
};

} // namespace gufo::inference
