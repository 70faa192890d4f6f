// The header of NumPy's format 1.0, after which the numbers follow in C order.
//
// Threads: pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gufo {

// `scalar` is NumPy's name of the type ("<f4"); `shape` has the slowest dimension first.
[[nodiscard]] std::string npyHeader(std::string_view scalar, std::span<const std::uint64_t> shape);

} // namespace gufo
