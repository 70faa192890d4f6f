// Assigns ranges of characters to the tokens that represent them, for the playground.
#pragma once

#include "text/tokenizer/tokenizer.h"

#include <QString>

#include <memory>
#include <vector>

namespace gufo::ui {

// Characters [begin, end) of a QString and the tokens that represent them: one, or several if a character is spread
// over several tokens or a token represents no character of the text.
struct TokenCell {
    int begin = 0;
    int end = 0;
    std::uint32_t firstToken = 0;
    std::uint32_t tokens = 0;
};

struct TokenizedText {
    std::vector<TokenId> ids;
    std::vector<TokenCell> cells; // in order, without gaps between their tokens; only BOS and EOS have empty ranges
    std::size_t bytes = 0;        // of the text in UTF-8

    // The cell that contains a character; null if no token does.
    [[nodiscard]] const TokenCell* cellAt(int position) const;
};

// For a job. A lone surrogate is treated as U+FFFD. Errors: see Tokenizer::encode.
[[nodiscard]] Result<TokenizedText> tokenizeText(const text::Tokenizer& tokenizer, const QString& characters,
                                                 text::EncodeOptions options, const JobContext& job);

} // namespace gufo::ui
