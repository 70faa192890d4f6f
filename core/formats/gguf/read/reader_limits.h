// The limits on what a file may contain. A real model has some fifty keys, some ten thousand tensors and three million
// array elements of varying size. The limits ensure that a hostile file of any size takes less than a second and 256
// MB.
#pragma once

#include <cstdint>

namespace gufo::gguf {

inline constexpr std::uint64_t kMaxKeyValues = 65'536;
inline constexpr std::uint64_t kMaxTensors = 262'144;
// Strings, nested arrays and booleans in arrays: the elements that are visited one by one, over all keys.
inline constexpr std::uint64_t kMaxWalkedElements = std::uint64_t{1} << 26U;
inline constexpr unsigned kMaxArrayDepth = 8;

// The limits of runtimes and of the specification. A file that exceeds them is opened, with a finding.
inline constexpr std::size_t kMaxKeyBytes = 65'535;
inline constexpr std::size_t kMaxRuntimeNameBytes = 63;
inline constexpr std::size_t kMaxRuntimeDimensions = 4;
inline constexpr std::uint32_t kLargestUsualAlignment = 65'536;

} // namespace gufo::gguf
