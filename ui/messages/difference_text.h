// Translated words for the differences that editing has made (core/document/difference.h).
#pragma once

#include "document/difference.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString differenceKind(const Difference& difference); // "Added", "Renamed, changed"
[[nodiscard]] QString differenceName(const Difference& difference); // "a.key", "old.key → new.key", "Byte order"
// For arrays: "3 of 151,936 elements differ, first at 151,667". Empty for other differences.
[[nodiscard]] QString arrayChangeText(const Difference& difference);

} // namespace gufo::ui
