// Splits a stream of server-sent events (WHATWG HTML, section 9.2) into the data of its events. The bytes may arrive in
// pieces of any size: a line end or a character may be split between two pieces.
//
//     SseParser parser;
//     auto events = parser.push(bytes);
//     for (const SseEvent& event : *events) … event.data: "{…}" or "[DONE]" …
//
// Comments, ids and retry times are skipped, because neither llama-server nor OpenAI's protocol gives them a meaning.
// The standard drops an event that the end of the stream cuts off; finish() returns it, because servers leave out the
// empty line after the last event.
//
// Thread contract: one thread at a time.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct SseEvent {
    std::string name{}; // usually empty
    std::string data{}; // its lines are joined by "\n"
    bool operator==(const SseEvent&) const = default;
};

class SseParser {
public:
    // More than any server sends in one event: a server that never ends a line must not fill the memory.
    static constexpr std::size_t kMaxEventBytes = 16U << 20U;

    // Returns the events that `bytes` completes. Errors: ReplyUnusable (Detail::ReplyTooLong).
    [[nodiscard]] Result<std::vector<SseEvent>> push(std::string_view bytes);
    // Returns the event with which the stream ends, if it is not complete.
    [[nodiscard]] std::vector<SseEvent> finish();

private:
    void takeLine(std::string_view line, std::vector<SseEvent>& events);

    std::string m_line; // the incomplete last line
    std::string m_name; // of the incomplete event
    std::string m_data; // of the incomplete event, with "\n" after each line
    bool m_atStart = true;
    bool m_afterCr = false; // an LF that follows belongs to the same line end
};

} // namespace gufo::inference
