// Tokens of a text.
#pragma once

#include "model/index.h"

#include <cstdint>
#include <vector>

namespace gufo::text {

// Bytes [begin, end) of the text that was encoded. Tokens that stand for one character in several bytes share its
// range; what the tokenizer adds (beginning of text, a space in front) has an empty one.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const TextRange&) const = default;
};

struct Encoding {
    std::vector<TokenId> ids;
    std::vector<TextRange> ranges; // one for each id where asked for; otherwise empty
};

} // namespace gufo::text
