#include "text/tokenizer/vocabulary_difference.h"

#include <algorithm>

namespace gufo::text {

std::optional<VocabularyDifference> findDifference(const Vocabulary& first, const Vocabulary& other) {
    VocabularyDifference difference{.size = first.size(), .otherSize = other.size()};
    for (std::size_t i = 0; i < std::min(first.size(), other.size()); ++i) {
        const TokenId id(i);
        if (first.text(id) != other.text(id)) {
            difference.token = id;
            difference.text = first.text(id);
            difference.otherText = other.text(id);
            return difference;
        }
    }
    return first.size() != other.size() ? std::optional(difference) : std::nullopt;
}

} // namespace gufo::text
