// The tokens of a text as the playground shows them: which stretch of characters belongs to which tokens.
#pragma once

#include "text/tokenizer/tokenizer.h"

#include <QString>

#include <memory>
#include <vector>

namespace gufo::ui {

// Characters [begin, end) of a QString and the tokens that stand for them: one, or several where a character is spread
// over tokens or a token stands for no character of the text.
struct TokenCell {
    int begin = 0;
    int end = 0;
    std::uint32_t firstToken = 0;
    std::uint32_t tokens = 0;
};

struct TokenizedText {
    std::vector<TokenId> ids;
    std::vector<TokenCell> cells; // in order, without gaps in their tokens; empty ones only for BOS and EOS
    std::size_t bytes = 0;        // of the text in UTF-8

    // The cell that holds a character; null if no token does.
    [[nodiscard]] const TokenCell* cellAt(int position) const;
};

// For a job. A lone surrogate counts as U+FFFD. Errors: those of Tokenizer::encode.
[[nodiscard]] Result<TokenizedText> tokenizeText(const text::Tokenizer& tokenizer, const QString& characters,
                                                 text::EncodeOptions options, const JobContext& job);

} // namespace gufo::ui
