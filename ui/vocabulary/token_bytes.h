// What text a stored token stands for, by the family of its tokenizer.
#pragma once

#include <QByteArray>

#include <optional>
#include <string_view>

namespace gufo::ui {

// SentencePiece and WordPiece vocabularies: U+2581 is a space.
[[nodiscard]] QByteArray decodeSpaceMarks(std::string_view token);

// "<0x0A>"; nothing for anything else.
[[nodiscard]] std::optional<QByteArray> decodeByteToken(std::string_view token);

// RWKV's: \n, \r, \t, \\, \xNN; any other escape stands for the character itself.
[[nodiscard]] QByteArray decodeEscapes(std::string_view token);

} // namespace gufo::ui
