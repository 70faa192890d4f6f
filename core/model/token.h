// Tokens of vocabularies: their types, and how they spell spaces and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

// The keys of the arrays with a value for each token.
inline constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
inline constexpr std::string_view kTokenTypesKey = "tokenizer.ggml.token_type";
inline constexpr std::string_view kTokenScoresKey = "tokenizer.ggml.scores";

// The numbers of the GGUF specification for tokenizer.ggml.token_type. Files contain other numbers, too.
enum class TokenType : std::uint8_t { Undefined, Normal, Unknown, Control, UserDefined, Unused, Byte };
inline constexpr std::int64_t kTokenTypes = 6; // not counting Undefined

// U+2581 represents a space in the tokens of SentencePiece and BERT vocabularies.
inline constexpr std::string_view kSpaceText = "\xE2\x96\x81";

// The alphabet of byte-level BPE vocabularies: printable Latin-1 characters stand for their own byte, and the
// characters from U+0100 on for the other 68 bytes, in order (GPT-2's published encoder).

// Returns the character that represents a byte, in UTF-8 (one or two bytes).
[[nodiscard]] std::string_view writtenByte(unsigned char byte);
// Returns the byte that a character represents; nothing for characters outside the alphabet.
[[nodiscard]] std::optional<unsigned char> byteWrittenAs(char32_t code);
// Appends the bytes that a token represents. Characters outside the alphabet are copied.
void appendUnwritten(std::string& out, std::string_view token);

} // namespace gufo
