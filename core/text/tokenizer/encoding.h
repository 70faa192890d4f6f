// The tokens of a text.
#pragma once

#include "model/index.h"

#include <cstdint>
#include <vector>

namespace gufo::text {

// Bytes [begin, end) of the encoded text. Several tokens of one character all have its range. Tokens that the tokenizer
// adds (beginning of text, leading space) have an empty one.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const TextRange&) const = default;
};

struct Encoding {
    std::vector<TokenId> ids;
    std::vector<TextRange> ranges; // one for each id if requested, else empty
};

} // namespace gufo::text
