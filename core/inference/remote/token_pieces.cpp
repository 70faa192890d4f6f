#include "inference/remote/token_pieces.h"

#include <algorithm>

namespace gufo::inference {
namespace {

bool contains(const std::vector<TokenId>& ids, TokenId id) { return std::ranges::find(ids, id) != ids.end(); }

} // namespace

TokenPieces::TokenPieces(std::shared_ptr<const text::Tokenizer> tokenizer, const GenerationSettings& settings,
                         std::span<const TokenId> begun)
    : m_tokenizer(std::move(tokenizer))
    , m_settings(settings) {
    if (m_tokenizer != nullptr) {
        m_decoder.emplace(m_tokenizer, text::DecodeOptions{.control = false, .atStart = false});
        for (const TokenId id : begun) { // which may end inside a character
            (void)m_decoder->push(id);
        }
    }
}

std::string TokenPieces::bytesOf(TokenId id) {
    // A control token that belongs to the answer is written, which the decoder would not do.
    return contains(m_settings.written, id) ? m_tokenizer->bytesOf(id) : m_decoder->push(id);
}

ResponsePiece TokenPieces::pieceOf(ReplyChunk& chunk) {
    const std::uint64_t now = chunk.generated.value_or(m_generated + 1);
    // The server sends only the last id of several tokens that make up a character; their piece has no id.
    const bool isOne = chunk.ids.size() == 1 && now == m_generated + 1;
    m_generated = now;
    ResponsePiece piece{.shown = std::move(chunk.content)};
    if (m_tokenizer != nullptr && isOne) {
        piece.token = chunk.ids.front();
        piece.bytes = bytesOf(chunk.ids.front());
    } else {
        piece.bytes = piece.shown;
        if (m_decoder) {
            m_decoder.emplace(m_tokenizer, text::DecodeOptions{.control = false, .atStart = false});
        }
    }
    if (isOne && chunk.tokens.size() == 1) {
        ReplyToken& token = chunk.tokens.front();
        piece.logProbability = token.logProbability;
        piece.afterSamplers = token.afterSamplers;
        for (ReplyCandidate& each : token.candidates) {
            const auto id = m_tokenizer != nullptr ? each.id : std::nullopt;
            piece.candidates.push_back(
                {.token = id, .text = id ? std::string() : std::move(each.text), .probability = each.probability});
        }
    }
    return piece;
}

std::vector<ResponsePiece> TokenPieces::take(ReplyChunk chunk) {
    std::vector<ResponsePiece> pieces;
    const auto release = [&] {
        pieces = std::move(m_silent);
        m_silent.clear();
        for (const ResponsePiece& piece : pieces) {
            m_bytes += piece.bytes;
        }
    };
    if (chunk.progress) {
        return pieces;
    }
    if (chunk.end) {
        m_end = chunk.end;
        if (*chunk.end == StopReason::EndToken && !m_silent.empty()) {
            m_silent.pop_back();
        }
        release();
        if (!chunk.content.empty()) { // of a server that does not stream
            pieces.push_back({.bytes = chunk.content, .shown = chunk.content});
            m_bytes += chunk.content;
            m_shown += chunk.content.size();
        }
        return pieces;
    }
    if (m_tokenizer != nullptr && chunk.ids.size() == 1 &&
        (contains(m_settings.ends, chunk.ids.front()) || m_tokenizer->endsGeneration(chunk.ids.front()))) {
        // The server does not know the tokens that end an answer by the template alone, and would continue.
        m_end = contains(m_settings.ends, chunk.ids.front()) ? std::optional(StopReason::EndToken) : std::nullopt;
        release();
        return pieces;
    }
    ResponsePiece piece = pieceOf(chunk);
    m_shown += piece.shown.size();
    if (piece.shown.empty()) {
        if (m_tokenizer == nullptr) {
            m_silent.push_back(std::move(piece));
            return pieces;
        }
    } else {
        release();
    }
    m_bytes += piece.bytes;
    pieces.push_back(std::move(piece));
    return pieces;
}

std::string TokenPieces::rest() const {
    const bool isCut = m_end == StopReason::MaxTokens || m_end == StopReason::ContextFull;
    return isCut && m_shown < m_bytes.size() ? m_bytes.substr(m_shown) : std::string();
}

} // namespace gufo::inference
