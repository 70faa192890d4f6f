// Grammars of tool calls as a template writes them, with arguments that conform to the schemas of the tools. Such a
// grammar matches what an AnswerParser calls the text of a call: from its marker on.
//
// Keywords of the schemas that cannot be guaranteed are ignored. Arguments are written as the format says
// (value_notation.h): as JSON, between markers, or as literals.
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
    bool isVariant = false; // of the one before it: a call may follow either
    bool isKnown = false; // of a usual format; where the template shows none of its own, a call may follow any of them
};

// Returns grammars for the ways in which the format writes calls, the template's first. `tools` is the
// JSON list of OpenAI's API; where it names no tool, there are no grammars.
[[nodiscard]] std::vector<CallGrammar> callGrammars(const text::AnswerFormat& format, std::string_view tools);

} // namespace gufo::inference
