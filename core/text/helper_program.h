// Finds the helper programs, which this program starts for work that may crash, hang or exhaust memory.
#pragma once

#include <QString>

namespace gufo::text {

// The path of a program next to this one or in its installation; empty if it is missing.
[[nodiscard]] QString helperProgram(const QString& name);

} // namespace gufo::text
