// Formats numbers, sizes, speeds, names and values for the window and the console.
#pragma once

#include "model/model.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace gufo::ui {

// Text of bytes that need not be UTF-8: invalid bytes are shown as \xNN and control characters as \n, \t or \xNN.
// Everything else is shown as it is, including backslashes.
[[nodiscard]] QString displayText(std::string_view bytes);
[[nodiscard]] QString displayPath(const std::filesystem::path& path); // with ~ for the home folder

[[nodiscard]] QString formatCount(std::uint64_t n);     // 1,234,567
[[nodiscard]] QString formatBytes(std::uint64_t bytes); // 13.4 MiB
// A size that the user typed in the window's language: "4,2 GB", "4,2 GiB" and "4.2G" in German. Units are powers of
// 1024.
[[nodiscard]] std::optional<std::uint64_t> typedBytes(const QString& typed);
[[nodiscard]] QString formatParameters(std::uint64_t n);             // 4.02 B, 260 K
[[nodiscard]] QString formatShape(const Shape& shape);               // 2,560 × 9,728
[[nodiscard]] QString formatBitsPerWeight(double bits);              // 4.95
[[nodiscard]] QString formatFixed(double value, int decimals);       // 99.70, with U+2212 minus
[[nodiscard]] QString formatReal(double value, int significant = 4); // with U+2212 minus; −3.1e-06

// Formats a value exactly: integers in full, floats with as many digits as distinguish them, strings verbatim. Of an
// array, the first `head` elements and "…".
[[nodiscard]] QString formatValue(const Value& value, int head = 8);
// "u32", "str[151936]".
[[nodiscard]] QString formatValueType(const Value& value);

// ---- speeds --------------------------------------------------------------------------------------------------------

// "19.6", "1,760": one decimal below 100.
[[nodiscard]] QString speedText(double perSecond);

// "12.3 MiB/s, 40 s left": the rate at which bytes were written or received, and the time until `total`. Empty while
// too little is known.
[[nodiscard]] QString transferText(std::uint64_t done, std::uint64_t total, std::int64_t elapsedMs);

} // namespace gufo::ui
