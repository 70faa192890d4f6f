// Figures for other programs. Tables show them rounded, with a typographic minus and separators; copies as TSV or
// Markdown contain them in full and in ASCII, so that they can be pasted.
#pragma once

#include <QString>
#include <Qt>

namespace gufo::ui {

// The role of the value that a cell shows rounded: a number, or a text. Without it, copies contain the displayed text,
// in right-aligned cells with the signs replaced.
inline constexpr int kExactRole = Qt::UserRole + 110;

// As many digits as distinguish the value.
[[nodiscard]] QString exactText(double value);
[[nodiscard]] QString exactText(float value);
// A displayed figure: "−1,234.5 dB" becomes "-1234.5 dB".
[[nodiscard]] QString plainFigure(QString text);

} // namespace gufo::ui
