// Compares two vocabularies. Unless token ids mean the same, the probabilities of two models cannot be compared.
//
// Thread contract: pure functions.
#pragma once

#include "text/tokenizer/vocabulary.h"

#include <optional>

namespace gufo::text {

struct VocabularyDifference {
    std::size_t size = 0;      // tokens of the first vocabulary
    std::size_t otherSize = 0; // tokens of the other vocabulary
    // The first id with different texts, as stored; empty if one vocabulary is a prefix of the other.
    std::optional<TokenId> token{};
    std::string_view text{}; // a view of the vocabulary
    std::string_view otherText{};
};

// Returns nothing if all ids have equal texts.
[[nodiscard]] std::optional<VocabularyDifference> findDifference(const Vocabulary& first, const Vocabulary& other);

} // namespace gufo::text
