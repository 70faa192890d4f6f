// Turns the events of llama-server's /completion into the pieces of an answer.
//
// llama-server sends text as soon as it can be shown, with the last of the tokens to which the text belongs: while a
// character is incomplete it sends nothing, and while a stop text may have begun it sends tokens without text. If the
// tokenizer is known, it gives the text of each token, so that each probability belongs to the right part of the
// answer.
//
// Thread contract: one thread at a time.
#pragma once

#include "inference/interface/responder.h"
#include "inference/remote/server_replies.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gufo::inference {

class TokenPieces {
public:
    // `tokenizer` may be null. `settings` must outlive the object. `begun` are the tokens of the answer so far.
    TokenPieces(std::shared_ptr<const text::Tokenizer> tokenizer, const GenerationSettings& settings,
                std::span<const TokenId> begun);

    // Returns the pieces that the event completes. A token that ends the answer yields none.
    [[nodiscard]] std::vector<ResponsePiece> take(ReplyChunk chunk);
    // Why the answer has ended: the reason that the server states, or EndToken after a token of
    // GenerationSettings::ends.
    [[nodiscard]] std::optional<StopReason> end() const { return m_end; }
    // Valid at the end: text that belongs to the answer although the server has held it back.
    [[nodiscard]] std::string rest() const;

private:
    [[nodiscard]] ResponsePiece pieceOf(ReplyChunk& chunk);
    [[nodiscard]] std::string bytesOf(TokenId id);

    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    const GenerationSettings& m_settings;
    std::optional<text::StreamDecoder> m_decoder;
    // Pieces without text, if the tokenizer is not known: the last one may be the token that ends the answer, which
    // only the next event reveals.
    std::vector<ResponsePiece> m_silent;
    std::uint64_t m_generated = 0;
    std::string m_bytes;     // of all tokens
    std::size_t m_shown = 0; // bytes that the server has sent
    std::optional<StopReason> m_end;
};

} // namespace gufo::inference
