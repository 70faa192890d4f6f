// Finds the pre-tokenizer rule, and the name of it that runtimes know, that splits text as a node of tokenizer.json
// does.
//
// The usual nodes are in a table. Every rule that is found is verified: a check text is split with the node's own
// regular expressions and with the rule. A node that the table lacks gets the rule that splits the check text most
// alike, so that a tokenizer is never refused for its pre-tokenizer. A node of the table keeps the name that runtimes
// expect for it, even where their rule differs a little from the node (as the rule of falcon does for numbers after a
// space).
#pragma once

#include "convert/vocabulary/pre_tokenizer_node.h"
#include "text/tokenizer/pre_tokenizer.h"

#include <optional>
#include <string>
#include <string_view>

namespace gufo::convert {

struct RecognisedRule {
    std::string name;   // a value of tokenizer.ggml.pre
    bool known = false; // the node is in the table
    // `words`: the number of words into which the node splits the check text; `same`: how many of them the rule yields
    // as well. No value if the node cannot be applied here.
    struct Check {
        std::size_t words = 0;
        std::size_t same = 0;
        [[nodiscard]] bool passed() const { return words == same; }
    };
    std::optional<Check> check{};
};

// `ignoreMerges` and the architecture choose between names of the same rule.
[[nodiscard]] RecognisedRule recognisePreTokenizer(const PreTokenizerNode& node, bool ignoreMerges,
                                                   std::string_view architecture);

// The text with which rules are compared: the kinds of characters and runs that rules treat differently.
[[nodiscard]] std::string_view preTokenizerCheckText();

} // namespace gufo::convert
