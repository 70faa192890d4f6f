// Formats speeds for the window and the console.
#pragma once

#include <QString>

#include <cstdint>

namespace gufo::ui {

// "19.6", "1,760": one decimal below 100.
[[nodiscard]] QString speedText(double perSecond);

// "12.3 MiB/s, 40 s left": the rate at which bytes were written or received, and the time until `total`. Empty while
// too little is known.
[[nodiscard]] QString transferText(std::uint64_t done, std::uint64_t total, std::int64_t elapsedMs);

} // namespace gufo::ui
