// The tokens of prompts and of other texts for a model.
//
// A prompt is turned into tokens so that the session need not evaluate again what it already holds: the previous answer
// was sampled token by token, and tokenizing its text again might give different tokens.
//
// Thread contract: pure functions.
#pragma once

#include "inference/interface/responder.h"
#include "model/model.h"
#include "text/tokenizer/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

// Where `prompt` begins with the known text and continues with a special token, the known tokens are reused. Special
// tokens in the text are recognised; the beginning token is added as the model requires, an end token never. Errors:
// the errors of Tokenizer::encode; InvalidArgument (Detail::PromptWithoutTokens) where the result would be empty.
// `literalAt` as EncodeOptions::literalAt.
[[nodiscard]] Result<std::vector<TokenId>> promptTokens(const text::Tokenizer& tokenizer, const std::string& prompt,
                                                        const KnownText& known, const JobContext& job,
                                                        std::span<const std::uint32_t> literalAt = {});

// Tokenizes a text, with the tokens with which the model begins and ends texts. Errors: the errors of
// Tokenizer::encode; InvalidArgument (Detail::PromptWithoutTokens).
[[nodiscard]] Result<std::vector<TokenId>> embeddingTokens(const text::Tokenizer& tokenizer, std::string_view text,
                                                           const JobContext& job);

// Tokenizes a query and a text as a reranker reads them: in the file's template "rerank", which contains {query} and
// {document}, or without one as two parts that are separated by the model's separator, its end token, or both. Errors:
// as above.
[[nodiscard]] Result<std::vector<TokenId>> rankingTokens(const text::Tokenizer& tokenizer, const Model& model,
                                                         std::string_view query, std::string_view text,
                                                         const JobContext& job);

} // namespace gufo::inference
