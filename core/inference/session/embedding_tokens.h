// The tokens of texts for an Embedder.
//
// Thread contract: pure functions.
#pragma once

#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

#include <string_view>
#include <vector>

namespace gufo::inference {

// Tokenizes a text, with the tokens with which the model begins and ends texts. Errors: those of Tokenizer::encode;
// InvalidArgument (Detail::PromptWithoutTokens).
[[nodiscard]] Result<std::vector<TokenId>> embeddingTokens(const text::Tokenizer& tokenizer, std::string_view text,
                                                           const JobContext& job);

// Tokenizes a query and a text as a reranker reads them: in the file's template "rerank", which contains {query} and
// {document}, or without one as two parts that are separated by the model's separator, its end token, or both. Errors:
// as above.
[[nodiscard]] Result<std::vector<TokenId>> rankingTokens(const text::Tokenizer& tokenizer, const Model& model,
                                                         std::string_view query, std::string_view text,
                                                         const JobContext& job);

} // namespace gufo::inference
