// Grammars of tool calls as a template writes them, with arguments that conform to the schemas of the tools. Such a
// grammar matches what an AnswerParser calls the text of a call: from its marker on.
//
// Where the arguments are JSON (CallStyle::Json, CallStyle::NamedJson, and gpt-oss), they are constrained by the schema
// of the tool; keywords that cannot be guaranteed are ignored. In the other styles, arguments are not JSON, and only
// the name is constrained.
//
// Thread contract: pure functions.
#pragma once

#include "inference/grammar/grammar.h"
#include "text/conversation/answer_format.h"

#include <memory>
#include <string_view>
#include <vector>

namespace gufo::inference {

struct CallGrammar {
    std::shared_ptr<const Grammar> grammar;
};

// Returns a grammar for each way in which the format writes calls with a marker, the template's first. `tools` is the
// JSON list of OpenAI's API; where it names no tool, there are no grammars.
[[nodiscard]] std::vector<CallGrammar> callGrammars(const text::AnswerFormat& format, std::string_view tools);

} // namespace gufo::inference
