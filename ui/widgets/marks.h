// Small marks painted on several pages: severity signs (each has its own shape), and the chip around a token's text.
// Sizes are in logical pixels.
#pragma once

#include "model/finding.h"

#include <QPainter>

namespace gufo::ui {

enum class Mark { Note, Warning, Error, NotRun };
[[nodiscard]] Mark markOf(Severity severity);
void paintMark(QPainter& painter, const QRect& square, Mark mark); // 16 × 16 is its natural size
[[nodiscard]] QString markName(Mark mark);                         // "Warning", for screen readers

// The appearance of a token's chip, by the token's type.
enum class ChipKind { Normal, Control, UserDefined };
// Paints a chip, vertically centred and elided to the width of `area`. Returns the painted width.
int paintChip(QPainter& painter, const QRect& area, const QString& text, ChipKind kind);

} // namespace gufo::ui
