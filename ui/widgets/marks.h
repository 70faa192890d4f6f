// Small marks painted on several pages: the sign of a severity (each has a shape of its own), and the chip around the
// text of a token. Logical pixels.
#pragma once

#include "model/finding.h"

#include <QPainter>

namespace gufo::ui {

enum class Mark { Note, Warning, Error, NotRun };
[[nodiscard]] Mark markOf(Severity severity);
void paintMark(QPainter& painter, const QRect& square, Mark mark); // 16 × 16 is its natural size
[[nodiscard]] QString markName(Mark mark);                         // "Warning", for screen readers

// What a token's chip looks like by its type.
enum class ChipKind { Normal, Control, UserDefined };
// Elided to the width of `area`, vertically centred; returns the width that was painted.
int paintChip(QPainter& painter, const QRect& area, const QString& text, ChipKind kind);

} // namespace gufo::ui
