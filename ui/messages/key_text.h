// Formats the values of metadata keys for tables.
#pragma once

#include "model/metadata.h"
#include "model/value.h"

#include <QByteArray>
#include <QString>

#include <string_view>

namespace gufo::ui {

[[nodiscard]] QString latin1(std::string_view text); // for names from the tables, which are ASCII

// At most `maxBytes` bytes as text, cut between characters, with "…" if anything was cut off.
[[nodiscard]] QString headText(std::string_view bytes, std::size_t maxBytes);

// Whether the bytes, read as UTF-8, contain a text, ignoring case. Does not copy them, as they may be gigabytes.
[[nodiscard]] bool containsText(std::string_view bytes, const QString& text);

// Formats a value in one line: `NAME (n)` for numbers that have names, the first values and "… n elements" for arrays,
// and the beginning of long strings.
[[nodiscard]] QString valueText(std::string_view key, const Value& value, std::string_view architecture);
// Formats one element of the array under `key` in the same way.
[[nodiscard]] QString elementText(std::string_view key, const Value& value, std::string_view architecture);

// The exact content of the file: strings as their bytes, numbers and arrays in full (arrays up to `maxElements`).
[[nodiscard]] QByteArray verbatim(const Value& value, std::uint64_t maxElements);

// The translated meaning of a key or a group of keys; empty if unknown.
[[nodiscard]] QString keyMeaning(std::string_view key, std::string_view architecture);
[[nodiscard]] QString groupMeaning(std::string_view prefix, std::string_view architecture);

// Whether the value is a token id, as for "tokenizer.ggml.bos_token_id".
[[nodiscard]] bool isTokenIdKey(std::string_view key);

// The value of a key in a line that shows at most a few hundred characters: a number that has a name as `NAME (n)`, the
// beginning of a text, and everything else as formatValue() does. Also for an element of the array under `key`.
[[nodiscard]] QString namedValue(std::string_view key, const Value& value, std::string_view architecture, int head = 8);

// The same in at most `characters` characters; an array begins with its type: "4096", "Q4_K_M (15)",
// "str[151936] <unk>, <s>, …".
[[nodiscard]] QString valueInLine(std::string_view key, const Value& value, std::string_view architecture,
                                  int characters = 120);

} // namespace gufo::ui
