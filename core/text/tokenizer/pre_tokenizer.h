// Pre-tokenization: splits text into the words within which BPE merges, by the rules that tokenizer.ggml.pre names.
//
// A rule is a list of stages, each of which implements a regular expression of a published tokenizer.json as a scanner.
// A stage splits every piece of the previous stage into its matches and the text between them. Every scanner takes
// linear time.
#pragma once

#include "text/tokenizer/characters.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo::text {

// Returns the length of the next part of a match, in characters: 1 to `left`, the number that remains.
using PartLength = std::size_t (*)(std::size_t left);

// A match within [from, end); empty if there is none. If the regular expression would match a run repeatedly, with
// lengths that depend on how much of the run is left, the match is the whole run and `part` says how to divide it.
struct Match {
    const char* begin;
    const char* end;
    PartLength part = nullptr;
};

// Returns the first match at or after `from`, which is not `end`. A match that was found is never empty.
using Stage = Match (*)(const char* from, const char* end);

// How the vocabulary spells words.
enum class Writing : std::uint8_t {
    ByteAlphabet,   // each byte as a character of GPT-2's alphabet
    Utf8,           // verbatim; symbols that are not tokens become byte tokens <0xNN>
    Utf8SpaceMarks, // the same, with U+2581 for each space
};

enum class AddBos : std::uint8_t {
    No,     // unless the file says yes
    Yes,    // unless the file says no
    Always, // whatever the file says
};

struct PreTokenizer {
    std::string_view name; // the name of the rule, not of a model
    std::span<const Stage> stages;
    bool ignoreMerges = false; // a word that is a token is used as it is, whatever the merges say
    AddBos addBos = AddBos::No;
    Writing writing = Writing::ByteAlphabet;
    bool wholeLineBreaks = false; // like ignoreMerges, but only for words of nothing but \n
    bool ranksAreIds = false;     // without merges in the file, symbols merge if they form a token, the lowest id first
};

// Returns the rule for a value of tokenizer.ggml.pre, or null.
[[nodiscard]] const PreTokenizer* findPreTokenizer(std::string_view pre);
[[nodiscard]] const PreTokenizer& defaultPreTokenizer();
// Every known value of tokenizer.ggml.pre, sorted.
[[nodiscard]] std::span<const std::string_view> preTokenizerNames();
// Every rule, in unspecified order.
[[nodiscard]] std::span<const PreTokenizer> preTokenizers();

// Calls `piece(std::string_view)` for each part of a match, in order, until it returns false. Returns false if it did.
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

// Calls `word(std::string_view)` for each piece, in order, until it returns false. Returns false if it did.
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
