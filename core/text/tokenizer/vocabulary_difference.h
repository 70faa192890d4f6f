// Whether token ids mean the same to two models. Where they do not, probabilities of one say nothing of the other's.
//
// Threads: functions of their arguments; any.
#pragma once

#include "text/tokenizer/vocabulary.h"

#include <optional>

namespace gufo::text {

struct VocabularyDifference {
    std::size_t size = 0;      // tokens of the first vocabulary
    std::size_t otherSize = 0; // and of the other
    // The first id whose texts differ, as the files have them; nothing where one vocabulary only goes on longer.
    std::optional<TokenId> token{};
    std::string_view text{}; // views the vocabularies
    std::string_view otherText{};
};

// Nothing where all ids have equal texts.
[[nodiscard]] std::optional<VocabularyDifference> findDifference(const Vocabulary& first, const Vocabulary& other);

} // namespace gufo::text
