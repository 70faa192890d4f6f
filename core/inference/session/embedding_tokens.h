// The tokens of texts that are made into vectors or ranked.
#pragma once

#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

#include <string_view>
#include <vector>

namespace gufo::inference {

// The text with the tokens that the model begins and ends texts with. Errors: those of Tokenizer::encode;
// InvalidArgument (PromptWithoutTokens).
[[nodiscard]] Result<std::vector<TokenId>> embeddingTokens(const text::Tokenizer& tokenizer, std::string_view text,
                                                           const JobContext& job);

// A query and a text as a reranker reads them: in the template "rerank" of the file, which has {query} and {document};
// without one, as two parts between which the model's separator, its end token, or both stand. Errors: as above.
[[nodiscard]] Result<std::vector<TokenId>> rankingTokens(const text::Tokenizer& tokenizer, const Model& model,
                                                         std::string_view query, std::string_view text,
                                                         const JobContext& job);

} // namespace gufo::inference
