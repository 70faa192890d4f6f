// Decodes stored tokens to the text that they represent, by tokenizer family.
#pragma once

#include <QByteArray>

#include <optional>
#include <string_view>

namespace gufo::ui {

// For SentencePiece and WordPiece vocabularies: U+2581 represents a space.
[[nodiscard]] QByteArray decodeSpaceMarks(std::string_view token);

// Decodes "<0x0A>"; empty for anything else.
[[nodiscard]] std::optional<QByteArray> decodeByteToken(std::string_view token);

// Decodes RWKV's escapes: \n, \r, \t, \\, \xNN. Any other escape represents the character itself.
[[nodiscard]] QByteArray decodeEscapes(std::string_view token);

} // namespace gufo::ui
