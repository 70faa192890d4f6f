// Reads tool calls as an AnswerFormat describes them.
//
// Thread contract: pure functions.
#pragma once

#include "text/conversation/answer_format.h"
#include "text/conversation/tool_schemas.h"

namespace gufo::text {

struct CallReading {
    enum class State : std::uint8_t {
        None,    // the text does not begin with a call
        Partial, // it may be the beginning of one
        Whole,
    };
    State state = State::None;
    std::size_t bytes = 0;   // of a whole call
    std::string id{};        // empty: the model wrote none
    std::string name{};      // also of a partial call, once it is known
    std::string arguments{}; // a JSON object; of a partial call: its beginning, as far as it is certain
};
// Reads the call at the beginning of `text`. A reading that is not partial does not depend on what follows. `atEnd`:
// nothing follows, so that the marker after a call may be missing.
[[nodiscard]] CallReading readCall(std::string_view text, const CallFormat& format, const ToolSchemas& tools,
                                   bool atEnd);

} // namespace gufo::text
