// The words for what an edit has changed (core/document/difference.h), translatable.
#pragma once

#include "document/difference.h"

#include <QString>

namespace gufo::ui {

[[nodiscard]] QString differenceKind(const Difference& difference); // "Added", "Renamed, changed"
[[nodiscard]] QString differenceName(const Difference& difference); // "a.key", "old.key → new.key", "Byte order"
// Of arrays: "3 of 151,936 elements differ, first at 151,667". Empty for the rest.
[[nodiscard]] QString arrayChangeText(const Difference& difference);
// A value in one line of at most `characters`: "4096", "str[151936] <unk>, <s>, …", "{%- if tools %}\n{{-…".
[[nodiscard]] QString valueInLine(const Value& value, int characters = 120);

} // namespace gufo::ui
