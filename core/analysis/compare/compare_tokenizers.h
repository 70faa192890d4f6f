// Two vocabularies by the text of their tokens.
#pragma once

#include "analysis/compare/compare_metadata.h"

namespace gufo {

// A model without a vocabulary has no tokens. Of several tokens of the same text one at the same id counts, else the
// first. `maxTokens` differences are kept of the reference's tokens, and as many of those only in the other.
// Errors: Cancelled, Truncated (the file changed).
[[nodiscard]] Result<TokenizerDifference> compareTokenizers(const Metadata& reference, const Metadata& other,
                                                            std::size_t maxTokens, const JobContext& job);

} // namespace gufo
