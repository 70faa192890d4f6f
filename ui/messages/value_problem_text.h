// The words for a value that cannot be taken (core/model/value_text.h), translatable.
#pragma once

#include "model/value_text.h"

#include <QString>

namespace gufo::ui {

// "u8 goes from 0 to 255." One sentence, without the value.
[[nodiscard]] QString valueProblemText(ValueProblem problem, ValueType type);

} // namespace gufo::ui
