// tokenizer.json, the format of the library "tokenizers": the vocabulary and the merges, which are read as a stream
// because they can be very large, and the settings beside them as trees.
#pragma once

#include "base/job_context.h"
#include "base/json_value.h"
#include "convert/vocabulary/token_table.h"
#include "model/owned_value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

struct AddedToken {
    std::uint64_t id = 0;
    std::string text;
    bool special = false;
};

struct TokenizerJson {
    std::string model; // "BPE", "WordPiece", "Unigram", "WordLevel"; empty if it is not stated
    TokenTable tokens; // of the model, without the added tokens
    OwnedValue merges; // an array of strings, each two parts with a space between them
    std::uint64_t mergeCount = 0;
    std::vector<AddedToken> added;          // in the order of the file
    bool byteFallback = false;              // characters that are not tokens become bytes "<0xNN>"
    bool ignoreMerges = false;              // a word that is a token is used as it is
    std::optional<std::uint64_t> unknown{}; // the id of the unknown token, if the model states it
    std::string unknownText;                // or its text
    // Each is null if the file has none.
    JsonValue normalizer;
    JsonValue preTokenizer;
    JsonValue postProcessor;
    JsonValue decoder;
};

// Errors: BadSyntax, NestingTooDeep; LimitExceeded for ids beyond kMaxTokens; Cancelled.
[[nodiscard]] Result<TokenizerJson> readTokenizerJson(std::string_view text, const JobContext& job = {});

// vocab.json, an object of texts and their ids. Errors: as above.
[[nodiscard]] Result<TokenTable> readVocabJson(std::string_view text, const JobContext& job = {});

// merges.txt, as an array of strings; lines that are not two parts are left out.
struct MergeLines {
    OwnedValue merges;
    std::uint64_t count = 0;
};
[[nodiscard]] MergeLines readMergesText(std::string_view text);

} // namespace gufo::convert
