// How the value of a metadata key is written in a table.
#pragma once

#include "model/metadata.h"

#include <QByteArray>
#include <QString>

namespace gufo::ui {

[[nodiscard]] QString latin1(std::string_view text); // of the tables' own names, which are ASCII

// The text of at most `maxBytes` bytes, cut between characters, with "…" where it goes on.
[[nodiscard]] QString headText(std::string_view bytes, std::size_t maxBytes);

// Whether bytes, read as UTF-8, contain a text in any letter case; without a copy of gigabytes.
[[nodiscard]] bool containsText(std::string_view bytes, const QString& text);

// One line: the value, `NAME (n)` where the number stands for a name, an array as its first values and
// "… n elements", a string as its head.
[[nodiscard]] QString valueText(std::string_view key, const Value& value, std::string_view architecture);
// The same for one element of the array under `key`.
[[nodiscard]] QString elementText(std::string_view key, const Value& value, std::string_view architecture);

// Exactly what stands in the file: strings as their bytes, numbers and arrays whole (nothing left out, arrays up to
// `maxElements`).
[[nodiscard]] QByteArray verbatim(const Value& value, std::uint64_t maxElements);

// What a key or a group of keys means, translated; empty if unknown.
[[nodiscard]] QString keyMeaning(std::string_view key, std::string_view architecture);
[[nodiscard]] QString groupMeaning(std::string_view prefix, std::string_view architecture);

// "tokenizer.ggml.bos_token_id" and its like: the value is an id in the vocabulary.
[[nodiscard]] bool isTokenIdKey(std::string_view key);

} // namespace gufo::ui
