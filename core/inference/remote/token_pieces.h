// Turns the events of llama-server's /completion into the pieces of an answer.
//
// llama-server sends the text that may be shown, with the last token of those that it belongs to: while a character is
// incomplete it sends nothing, and while a stop text may have begun it sends tokens without text. Where the tokenizer
// is known, the text of each token comes from there, so that probabilities stand where they belong.
//
// Thread contract: one thread at a time.
#pragma once

#include "inference/remote/server_replies.h"
#include "inference/session/responder.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

class TokenPieces {
public:
    // `tokenizer` may be null. `begun` are the tokens of the answer so far.
    TokenPieces(std::shared_ptr<const text::Tokenizer> tokenizer, const GenerationSettings& settings,
                std::span<const TokenId> begun);

    // Returns the pieces that the event completes. A token that ends the answer is none.
    [[nodiscard]] std::vector<ResponsePiece> take(ReplyChunk chunk);
    // Why the answer has ended: as the server says, or because the last event had a token of GenerationSettings::ends.
    [[nodiscard]] std::optional<StopReason> end() const { return m_end; }
    // Valid at the end: text that belongs to the answer although the server has held it back.
    [[nodiscard]] std::string rest() const;

private:
    [[nodiscard]] ResponsePiece pieceOf(ReplyChunk& chunk);
    [[nodiscard]] std::string bytesOf(TokenId id);

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    const GenerationSettings& m_settings;
    std::optional<text::StreamDecoder> m_decoder;
    // Without text so far: the last one may be the token that ends the answer, which only the next event tells.
    std::vector<ResponsePiece> m_silent;
    std::uint64_t m_generated = 0;
    std::string m_bytes; // of all tokens
    std::size_t m_shown = 0;
    std::optional<StopReason> m_end;
};

} // namespace gufo::inference
