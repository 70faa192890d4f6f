#include "inference/drafting/prompt_lookup.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// The number of tokens before `end`, up to kLongest, that equal those at the end of the text.
std::size_t matchBefore(std::span<const TokenId> text, std::size_t end) {
    const std::size_t longest = std::min(end, PromptLookup::kLongest);
    std::size_t length = 0;
    while (length < longest && text[end - 1 - length] == text[text.size() - 1 - length]) {
        ++length;
    }
    return length;
}

} // namespace

Result<std::vector<TokenId>> PromptLookup::propose(std::span<const TokenId> text, std::size_t limit,
                                                   const JobContext&) {
    std::size_t begin = 0; // of what followed the best match
    std::size_t best = kShortest - 1;
    for (std::size_t end = text.size(); end-- > kShortest && best < kLongest;) {
        if (const std::size_t length = matchBefore(text, end); length > best) {
            best = length;
            begin = end;
        }
    }
    std::vector<TokenId> proposal;
    if (begin == 0) {
        return proposal;
    }
    proposal.reserve(limit);
    for (std::size_t i = 0; i < limit; ++i) {
        const std::size_t at = begin + i;
        proposal.push_back(at < text.size() ? text[at] : proposal[at - text.size()]);
    }
    return proposal;
}

} // namespace gufo::inference
