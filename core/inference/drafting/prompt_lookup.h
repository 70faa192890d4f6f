// Proposes the tokens that followed an earlier occurrence of the last tokens, which helps with edited code, JSON and
// quotations. It needs no second model (Saxena 2023, "prompt lookup decoding").
//
// Thread contract: as for Drafter.
#pragma once

#include "inference/interface/drafter.h"

namespace gufo::inference {

class PromptLookup final : public Drafter {
public:
    static constexpr std::size_t kShortest = 2; // tokens before an earlier place that must equal the last ones
    static constexpr std::size_t kLongest = 16; // a longer match is not sought

    // The place with the longest match counts, and of several such places the last one. If another place matches at
    // least half as many tokens, the proposal ends where the texts after the two differ: the numbers in records, for
    // example, cannot be known. Where what follows reaches the end of the text, the proposal repeats itself, as in
    // Lempel and Ziv's (1977) copies. Never fails; takes time proportional to the length of the text.
    [[nodiscard]] Result<std::vector<TokenId>> propose(std::span<const TokenId> text, std::size_t limit,
                                                       const JobContext& job) override;
};

} // namespace gufo::inference
