// Words for the arguments of errors, findings and decisions (base/argument.h), and sentences filled with them.
#pragma once

#include "base/argument.h"

#include <QString>

#include <functional>

namespace gufo::ui {

// A text argument with special characters escaped for display, or a detail in words.
[[nodiscard]] QString argumentText(const Argument& argument);

// Translates `english` (in the given translation context) and replaces %1 … %9 by the arguments. Only the sentence is
// searched for placeholders, so a tensor named "%2" is harmless. The first whole number among the arguments selects the
// plural form of sentences that have several (QT_TRANSLATE_N_NOOP). `words` shows an argument.
[[nodiscard]] QString sentence(const char* context, const char* english, const Arguments& args,
                               const std::function<QString(const Argument&)>& words = argumentText);

} // namespace gufo::ui
