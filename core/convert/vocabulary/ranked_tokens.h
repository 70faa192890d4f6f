// Vocabularies in the style of tiktoken: each token is a sequence of bytes with a rank, and merges are not stored.
// Since the pair that forms the token of the lowest rank is merged first, the merges can be computed from the ranks.
#pragma once

#include "base/job_context.h"
#include "convert/vocabulary/token_table.h"
#include "model/owned_value.h"

#include <string>
#include <string_view>
#include <vector>

namespace gufo::convert {

struct RankedToken {
    std::string bytes;
    std::uint64_t rank = 0;
};

// A list of lines, each a token in base64 and its rank ("tokenizer.model" of Llama 3, "qwen.tiktoken"). Errors:
// BadSyntax, LimitExceeded for more than kMaxTokens.
[[nodiscard]] Result<std::vector<RankedToken>> readRankedLines(std::string_view text);
// Whether a text begins like such a list.
[[nodiscard]] bool looksRanked(std::string_view text);

// tekken.json of Mistral AI.
struct Tekken {
    std::vector<RankedToken> tokens;  // without special ones, which precede them
    std::vector<std::string> special; // by id
};
// Errors: BadSyntax, NestingTooDeep, LimitExceeded.
[[nodiscard]] Result<Tekken> readTekken(std::string_view text, const JobContext& job);

// Places the tokens at `firstId` + rank, written in GPT-2's alphabet. Errors: LimitExceeded.
[[nodiscard]] Result<> placeRanked(TokenTable& tokens, const std::vector<RankedToken>& ranked, std::uint64_t firstId);

// The merges in the order of their ranks, as an array of strings: for each token the two parts that are left when its
// bytes are merged by lower ranks only. Tokens for which there are not two cannot be formed and have no merge. Errors:
// Cancelled.
struct RankedMerges {
    OwnedValue merges;
    std::uint64_t count = 0;
};
[[nodiscard]] Result<RankedMerges> mergesOfRanks(const std::vector<RankedToken>& ranked, const JobContext& job);

} // namespace gufo::convert
