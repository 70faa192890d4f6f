// Represents bytes as editable text from which exactly the same bytes can be recovered: \n, \r, \t and \\, \xNN for
// bytes that are not UTF-8 and for invisible characters, and \u{2028} for characters that text fields interpret.
#pragma once

#include <QString>

#include <expected>
#include <string>
#include <string_view>

namespace gufo::ui {

enum class Lines { Escaped, Kept }; // whether line breaks and tabs are kept as they are

// "\\xNN", with capital digits.
[[nodiscard]] QString hexEscape(unsigned char byte);

// Whether a text field would alter the bytes or hide some of them.
[[nodiscard]] bool needsEscapes(std::string_view bytes, Lines lines);

[[nodiscard]] QString escapeText(std::string_view bytes, Lines lines);

// Error: a sentence that names the first invalid escape.
[[nodiscard]] std::expected<std::string, QString> unescapeText(const QString& text);

} // namespace gufo::ui
