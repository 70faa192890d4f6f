// A prompt as tokens, such that what the session knows already need not be evaluated again: the answer to the turn
// before was drawn token by token, and its text, encoded anew, may give other tokens.
#pragma once

#include "text/tokenizer/tokenizer.h"

#include <string>
#include <vector>

namespace gufo::ui {

// A text, and the tokens that stood for it.
struct KnownText {
    std::string text;
    std::vector<TokenId> ids;
};

// Where `prompt` goes on from the known text with a special token, that much is taken as it is known. Special tokens
// count as such; a beginning token comes in front as the model wants it, an end token never. Errors: those of
// Tokenizer::encode; InvalidArgument (args: "prompt") where there is no token at all.
[[nodiscard]] Result<std::vector<TokenId>> promptTokens(const text::Tokenizer& tokenizer, const std::string& prompt,
                                                        const KnownText& known, const JobContext& job);

} // namespace gufo::ui
