// Figures as people read them, the same on every page and in the console.
#pragma once

#include "model/model.h"

#include <QString>

namespace gufo::ui {

// Text of bytes that need not be UTF-8: what is not is shown as \xNN, control characters as \n, \t, \xNN. Anything
// else, backslashes too, stands as it is.
[[nodiscard]] QString displayText(std::string_view bytes);
[[nodiscard]] QString displayPath(const std::filesystem::path& path); // with ~ for the home folder

// A translated pattern with %1 … %9 replaced by texts from a model. Only the pattern is searched for places, so that a
// tensor named "%2" does no harm.
[[nodiscard]] QString fillIn(const QString& pattern, const std::vector<std::string>& args);

[[nodiscard]] QString formatCount(std::uint64_t n);                  // 1,234,567
[[nodiscard]] QString formatBytes(std::uint64_t bytes);              // 13.4 MiB
[[nodiscard]] QString formatParameters(std::uint64_t n);             // 4.02 B, 260 K
[[nodiscard]] QString formatShape(const Shape& shape);               // 2,560 × 9,728
[[nodiscard]] QString formatBitsPerWeight(double bits);              // 4.95
[[nodiscard]] QString formatReal(double value, int significant = 4); // with U+2212 minus; −3.1e-06

// A scalar as it stands, exactly: integers whole, floats with as many digits as tell them apart, strings verbatim.
// Arrays as the first `head` elements and "…".
[[nodiscard]] QString formatValue(const Value& value, int head = 8);
// "u32", "str[151936]".
[[nodiscard]] QString formatValueType(const Value& value);

} // namespace gufo::ui
