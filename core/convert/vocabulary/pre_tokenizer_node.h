// The `pre_tokenizer` node of tokenizer.json as a list of steps in one form, and how it splits a text.
#pragma once

#include "base/json_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

// What happens to the matches of a pattern, as in the library "tokenizers"; `Isolated` makes each match a word.
enum class SplitBehavior : std::uint8_t { Isolated, Removed, Contiguous, MergedWithPrevious, MergedWithNext };

struct SplitStep {
    std::string pattern; // a regular expression
    SplitBehavior behavior = SplitBehavior::Isolated;
    bool invert = false; // the text between matches is what counts as a match
};

struct PreTokenizerNode {
    std::vector<SplitStep> steps;
    std::vector<std::string> other; // the types of inner nodes that have no such form, such as "Metaspace"

    // Equal for nodes that split alike by construction: the patterns, each on a line. A pattern whose matches alone are
    // kept is written like one whose matches are isolated, because the expressions of BPE tokenizers match everything.
    [[nodiscard]] std::string canonical() const;
};

[[nodiscard]] PreTokenizerNode readPreTokenizer(const JsonValue& node);

// The words of a text, each as UTF-8. Nothing if a pattern is not understood, is too large or takes too long; the
// regular expressions come from a file, so their number, size and time are bounded.
[[nodiscard]] std::optional<std::vector<std::string>> splitByNode(const PreTokenizerNode& node, std::string_view text);

} // namespace gufo::convert
