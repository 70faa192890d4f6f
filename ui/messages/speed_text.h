// Speeds, written alike in the window and on the console.
#pragma once

#include <QString>

namespace gufo::ui {

// "19.6", "1,760": a decimal below 100.
[[nodiscard]] QString speedText(double perSecond);

} // namespace gufo::ui
