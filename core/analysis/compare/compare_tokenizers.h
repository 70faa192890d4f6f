// Compares two vocabularies by the text of their tokens.
#pragma once

#include "analysis/compare/compare_metadata.h"

namespace gufo {

// A model without a vocabulary counts as having no tokens. If several tokens have the same text, the one with the same
// id is compared, or else the first. At most `maxTokens` differences are kept for the reference's tokens, and as many
// for tokens that only the other model has. Errors: Cancelled, Truncated (the file has changed).
[[nodiscard]] Result<TokenizerDifference> compareTokenizers(const Metadata& reference, const Metadata& other,
                                                            std::size_t maxTokens, const JobContext& job);

} // namespace gufo
