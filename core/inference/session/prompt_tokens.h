// Turns a prompt into tokens so that the session need not evaluate again what it already holds. The previous answer was
// sampled token by token, and tokenizing its text again might give different tokens.
#pragma once

#include "text/tokenizer/tokenizer.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

// A text, and the tokens that it was made of.
struct KnownText {
    std::string text;
    std::vector<TokenId> ids;
};

// Where `prompt` begins with the known text and continues with a special token, the known tokens are reused. Special
// tokens in the text are recognised; the beginning token is added as the model requires, an end token never. Errors:
// those of Tokenizer::encode; InvalidArgument (Detail::PromptWithoutTokens) where the result would be empty.
// `literalAt` as EncodeOptions::literalAt.
[[nodiscard]] Result<std::vector<TokenId>> promptTokens(const text::Tokenizer& tokenizer, const std::string& prompt,
                                                        const KnownText& known, const JobContext& job,
                                                        std::span<const std::uint32_t> literalAt = {});

} // namespace gufo::inference
