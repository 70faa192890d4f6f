// Bytes as text that can be edited and gives exactly the same bytes back: \n, \r, \t, \\ and \xNN for what is not
// UTF-8 or has no look of its own, \u{2028} for characters that text fields take for something else.
#pragma once

#include <QString>

#include <expected>
#include <string>
#include <string_view>

namespace gufo::ui {

enum class Lines { Escaped, Kept }; // whether line breaks and tabs stand for themselves

// Whether a text field would change the bytes, or not show some of them.
[[nodiscard]] bool needsEscapes(std::string_view bytes, Lines lines);

[[nodiscard]] QString escapeText(std::string_view bytes, Lines lines);

// Error: a sentence that names the first escape that is none.
[[nodiscard]] std::expected<std::string, QString> unescapeText(const QString& text);

} // namespace gufo::ui
