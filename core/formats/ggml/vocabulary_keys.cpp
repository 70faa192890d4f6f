#include "formats/ggml/vocabulary_keys.h"

#include "model/token_spelling.h"
#include "model/token_type.h"

#include <array>
#include <cstdio>

namespace gufo::ggml {
namespace {

using Token = Interpretation::Token;

constexpr std::string_view kUnknownText = " \xE2\x81\x87 "; // U+2047, as SentencePiece decodes the unknown token
constexpr std::size_t kFirstByteToken = 3;

template<typename T>
OwnedValue numbers(ValueType type, const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        store(bytes.data() + i * sizeof(T), values[i]);
    }
    return OwnedValue::array(type, values.size(), std::move(bytes));
}

struct Piece {
    std::string text;
    TokenType type = TokenType::Normal;
};

std::string hexByte(std::size_t byte) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", static_cast<unsigned>(byte & 0xFFU));
    return text.data();
}

Piece pieceOf(std::size_t id, std::string_view stored) {
    constexpr std::array<std::string_view, kFirstByteToken> kFixed{"<unk>", "<s>", "</s>"};
    if (id == 0 && (stored.empty() || stored == kUnknownText || stored == kFixed[0])) {
        return {std::string(kFixed[0]), TokenType::Unknown};
    }
    if (id < kFirstByteToken && (stored.empty() || stored == kFixed[id])) {
        return {std::string(kFixed[id]), TokenType::Control};
    }
    const std::size_t byte = id - kFirstByteToken;
    if (id >= kFirstByteToken && byte <= 0xFF && stored.size() == 1 && stored[0] == static_cast<char>(byte)) {
        return {hexByte(byte), TokenType::Byte};
    }
    if (stored.empty()) {
        return {{}, TokenType::Control};
    }
    Piece piece;
    for (const char c : stored) {
        if (c == ' ') {
            piece.text += kSpaceText;
        } else {
            piece.text += c;
        }
    }
    return piece;
}

void addPieces(MetadataBuilder& metadata, const Interpretation& file) {
    std::vector<std::string> texts;
    std::vector<std::int32_t> types;
    std::vector<float> scores;
    for (const Token& token : file.tokens) {
        Piece piece = pieceOf(texts.size(), token.text);
        texts.push_back(std::move(piece.text));
        types.push_back(static_cast<std::int32_t>(piece.type));
        scores.push_back(token.score);
    }
    metadata.addText("tokenizer.ggml.model", "llama");
    metadata.add("tokenizer.ggml.tokens", OwnedValue::strings(texts));
    if (file.family->scores) {
        metadata.add("tokenizer.ggml.scores", numbers(ValueType::Float32, scores));
    }
    metadata.add("tokenizer.ggml.token_type", numbers(ValueType::Int32, types));
    constexpr auto kRoles = std::to_array({"unknown", "bos", "eos"});
    for (std::size_t id = 0; id < kRoles.size() && id < texts.size(); ++id) {
        metadata.add("tokenizer.ggml." + std::string(kRoles[id]) + "_token_id",
                     OwnedValue(static_cast<std::uint32_t>(id)));
    }
}

void addByteLevel(MetadataBuilder& metadata, const Interpretation& file) {
    std::vector<std::string> texts;
    for (const Token& token : file.tokens) {
        std::string text;
        for (const char c : token.text) {
            text += writtenByte(static_cast<unsigned char>(c));
        }
        texts.push_back(std::move(text));
    }
    metadata.addText("tokenizer.ggml.model", "gpt2");
    metadata.add("tokenizer.ggml.tokens", OwnedValue::strings(texts));
}

} // namespace

void addVocabulary(MetadataBuilder& metadata, const Interpretation& file) {
    switch (file.family->vocabulary) {
    case VocabularyForm::None:
        break;
    case VocabularyForm::SentencePiece:
        addPieces(metadata, file);
        break;
    case VocabularyForm::ByteLevel:
        addByteLevel(metadata, file);
        break;
    }
}

} // namespace gufo::ggml
