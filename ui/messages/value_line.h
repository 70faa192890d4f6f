// The value of a key in one line, for tables and for reports of changes.
#pragma once

#include "model/value.h"

#include <QString>

#include <string_view>

namespace gufo::ui {

// For a line that shows at most a few hundred characters: a number that has a name as `NAME (n)`, the beginning of a
// text, and everything else as formatValue() does. Also for an element of the array under `key`.
[[nodiscard]] QString namedValue(std::string_view key, const Value& value, std::string_view architecture, int head = 8);

// The same in at most `characters` characters; an array begins with its type: "4096", "Q4_K_M (15)",
// "str[151936] <unk>, <s>, …".
[[nodiscard]] QString valueInLine(std::string_view key, const Value& value, std::string_view architecture,
                                  int characters = 120);

} // namespace gufo::ui
