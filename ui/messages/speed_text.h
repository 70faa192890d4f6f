// Formats speeds for the window and the console.
#pragma once

#include <QString>

namespace gufo::ui {

// "19.6", "1,760": one decimal below 100.
[[nodiscard]] QString speedText(double perSecond);

} // namespace gufo::ui
