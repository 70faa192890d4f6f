// The number of terminal columns that a text occupies.
#pragma once

#include <QStringList>
#include <QStringView>

namespace gufo::cli {

// East Asian wide characters and emoji occupy two columns, combining and invisible characters none (Unicode 15,
// EastAsianWidth W and F).
[[nodiscard]] int displayWidth(QStringView text);

// Breaks a text between words into lines of at most `width` columns; a word that is longer has a line of its own. Line
// breaks in the text count as spaces. The first line has `used` columns less.
[[nodiscard]] QStringList wrapToWidth(const QString& text, int width, int used = 0);

// Shortens the text to at most `width` (≥ 1) columns by an "…" in its middle.
[[nodiscard]] QString cutMiddleToWidth(const QString& text, int width);

// Truncates the text to at most `width` (≥ 1) columns. The last column is "…" if anything was cut off.
[[nodiscard]] QString cutToWidth(const QString& text, int width);

} // namespace gufo::cli
