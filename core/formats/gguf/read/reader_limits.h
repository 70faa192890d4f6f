// How much of anything a file may hold. A model has some fifty keys, some ten thousand tensors and three million array
// elements of varying size; these bounds keep the time and memory that a hostile file can take below a second and
// 256 MB, whatever its size.
#pragma once

#include <cstdint>

namespace gufo::gguf {

inline constexpr std::uint64_t kMaxKeyValues = 65'536;
inline constexpr std::uint64_t kMaxTensors = 262'144;
// Strings, nested arrays and booleans in arrays: elements that are looked at one by one, over all keys.
inline constexpr std::uint64_t kMaxWalkedElements = std::uint64_t{1} << 26U;
inline constexpr unsigned kMaxArrayDepth = 8;

// What runtimes and the specification allow: past these a file opens, with a finding.
inline constexpr std::size_t kMaxKeyBytes = 65'535;
inline constexpr std::size_t kMaxRuntimeNameBytes = 63;
inline constexpr std::size_t kMaxRuntimeDimensions = 4;
inline constexpr std::uint32_t kLargestUsualAlignment = 65'536;

} // namespace gufo::gguf
