// Translated words for values that cannot be accepted (core/model/value_text.h).
#pragma once

#include "model/value_text.h"

#include <QString>

namespace gufo::ui {

// "u8 ranges from 0 to 255." One sentence, which does not repeat the value.
[[nodiscard]] QString valueProblemText(ValueProblem problem, ValueType type);

} // namespace gufo::ui
