// How many columns of a terminal a text takes.
#pragma once

#include <QStringView>

namespace gufo::cli {

// East Asian wide characters and emoji take two, combining and invisible ones none (Unicode 15, EastAsianWidth W and
// F).
[[nodiscard]] int displayWidth(QStringView text);

// The text, cut to at most `width` (≥ 1) columns, with "…" as the last one where something was cut off.
[[nodiscard]] QString cutToWidth(const QString& text, int width);

} // namespace gufo::cli
