// Splitting of text into the words within which byte-level BPE merges: the rules named by tokenizer.ggml.pre.
//
// A rule is a list of stages, each a regular expression of a published tokenizer.json written as a scanner. A stage
// cuts every piece of the stage before into its matches and what lies between them. Every scanner runs in linear time.
#pragma once

#include <span>
#include <string_view>

namespace gufo::text {

// A match within [from, end); empty if there is none.
struct Match {
    const char* begin;
    const char* end;
};

// The first match at or after `from`, which is not `end`. Never an empty one where something is found.
using Stage = Match (*)(const char* from, const char* end);

struct PreTokenizer {
    std::string_view name; // of the rule, not of a model
    std::span<const Stage> stages;
    bool ignoreMerges; // a word that is a token is taken whole, whatever the merges say
    bool addBos;       // unless the file says
};

// The rule for a value of tokenizer.ggml.pre; null if it is not known.
[[nodiscard]] const PreTokenizer* findPreTokenizer(std::string_view pre);
[[nodiscard]] const PreTokenizer& defaultPreTokenizer();
// Every known value of tokenizer.ggml.pre.
[[nodiscard]] std::span<const std::string_view> preTokenizerNames();

// Calls `word(std::string_view)` for each piece, front to back, until it returns false. False if it did.
template<typename Word>
bool splitWords(std::span<const Stage> stages, std::string_view text, const Word& word) {
    if (stages.empty()) {
        return text.empty() || word(text);
    }
    const auto rest = stages.subspan(1);
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end) {
        const Match match = stages.front()(at, end);
        const bool found = match.begin < match.end;
        const char* gapEnd = found ? match.begin : end;
        if (gapEnd > at && !splitWords(rest, {at, static_cast<std::size_t>(gapEnd - at)}, word)) {
            return false;
        }
        if (!found) {
            break;
        }
        if (!splitWords(rest, {match.begin, static_cast<std::size_t>(match.end - match.begin)}, word)) {
            return false;
        }
        at = match.end;
    }
    return true;
}

} // namespace gufo::text
