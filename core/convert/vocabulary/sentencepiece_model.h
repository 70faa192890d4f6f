// The model file of SentencePiece ("tokenizer.model", "spiece.model"): a protobuf message with the pieces, their scores
// and types, and how text is normalised.
#pragma once

#include "convert/vocabulary/token_table.h"

#include <string>
#include <string_view>

namespace gufo::convert {

struct SentencePieceModel {
    enum class Algorithm : std::uint8_t { Unigram = 1, Bpe = 2, Word = 3, Char = 4 };
    Algorithm algorithm = Algorithm::Unigram;
    TokenTable pieces;
    bool addDummyPrefix = true;
    bool removeExtraWhitespaces = true;
    std::string charsmap; // the compiled normalisation table; empty if text is not normalised
};

// Errors: the errors of ProtobufReader::next(); Malformed (Detail::NoPieces if it describes none); LimitExceeded for
// more than kMaxTokens pieces.
[[nodiscard]] Result<SentencePieceModel> readSentencePieceModel(std::string_view bytes);

} // namespace gufo::convert
