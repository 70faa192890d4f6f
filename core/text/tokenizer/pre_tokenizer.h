// Splitting of text into the words within which BPE merges: the rules named by tokenizer.ggml.pre.
//
// A rule is a list of stages, each a regular expression of a published tokenizer.json written as a scanner. A stage
// cuts every piece of the stage before into its matches and what lies between them. Every scanner runs in linear time.
#pragma once

#include "text/tokenizer/characters.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo::text {

// The characters that the next part of a match takes, of so many that are left: 1 to `left`.
using PartLength = std::size_t (*)(std::size_t left);

// A match within [from, end); empty if there is none. Where the regular expression would match the same run again and
// again with lengths that depend on how much of it is left, the match is the whole run and `part` says how to cut it.
struct Match {
    const char* begin;
    const char* end;
    PartLength part = nullptr;
};

// The first match at or after `from`, which is not `end`. Never an empty one where something is found.
using Stage = Match (*)(const char* from, const char* end);

// How the vocabulary writes a word.
enum class Writing : std::uint8_t {
    ByteAlphabet,   // each byte as a character of GPT-2's alphabet
    Utf8,           // as it is; what is no token becomes byte tokens <0xNN>
    Utf8SpaceMarks, // the same with U+2581 for each space
};

enum class AddBos : std::uint8_t {
    No,     // unless the file says so
    Yes,    // unless the file says otherwise
    Always, // whatever the file says
};

struct PreTokenizer {
    std::string_view name; // of the rule, not of a model
    std::span<const Stage> stages;
    bool ignoreMerges = false; // a word that is a token is taken whole, whatever the merges say
    AddBos addBos = AddBos::No;
    Writing writing = Writing::ByteAlphabet;
    bool wholeLineBreaks = false; // the same as ignoreMerges for words of nothing but \n
    bool ranksAreIds = false;     // of a file without merges: symbols merge if they make a token, the lowest id first
};

// The rule for a value of tokenizer.ggml.pre; null if it is not known.
[[nodiscard]] const PreTokenizer* findPreTokenizer(std::string_view pre);
[[nodiscard]] const PreTokenizer& defaultPreTokenizer();
// Every known value of tokenizer.ggml.pre, sorted.
[[nodiscard]] std::span<const std::string_view> preTokenizerNames();
// Every rule, in no order that means anything.
[[nodiscard]] std::span<const PreTokenizer> preTokenizers();

// Calls `piece(std::string_view)` for each part of a match, front to back, until it returns false. False if it did.
template<typename Piece>
bool splitMatch(const Match& match, const Piece& piece) {
    if (match.part == nullptr) {
        return piece(std::string_view(match.begin, match.end));
    }
    std::size_t left = 0;
    for (const char* at = match.begin; at < match.end; at += decodeChar(at, match.end).bytes) {
        ++left;
    }
    for (const char* at = match.begin; left > 0;) {
        const std::size_t length = match.part(left);
        const char* from = at;
        for (std::size_t i = 0; i < length; ++i) {
            at += decodeChar(at, match.end).bytes;
        }
        if (!piece(std::string_view(from, at))) {
            return false;
        }
        left -= length;
    }
    return true;
}

// Calls `word(std::string_view)` for each piece, front to back, until it returns false. False if it did.
template<typename Word>
bool splitWords(std::span<const Stage> stages, std::string_view text, const Word& word) {
    if (stages.empty()) {
        return text.empty() || word(text);
    }
    const auto rest = stages.subspan(1);
    const auto split = [&](std::string_view piece) { return splitWords(rest, piece, word); };
    const char* at = text.data();
    const char* end = at + text.size();
    while (at < end) {
        const Match match = stages.front()(at, end);
        const bool found = match.begin < match.end;
        const char* gapEnd = found ? match.begin : end;
        if (gapEnd > at && !split({at, static_cast<std::size_t>(gapEnd - at)})) {
            return false;
        }
        if (!found) {
            break;
        }
        if (!splitMatch(match, split)) {
            return false;
        }
        at = match.end;
    }
    return true;
}

} // namespace gufo::text
