// The limits on what a file may contain. A real model has some fifty keys, some ten thousand tensors and three million
// array elements of varying size. The limits ensure that a hostile file of any size takes less than a second and 256
// MB.
#pragma once

#include "model/finding_list.h"

#include <cstdint>
#include <string_view>

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

// The findings about names of keys and tensors, for names that are read and names that edits introduce.

// Adds EmptyKey, KeyNotUtf8, OddKey or KeyTooLong.
void addKeyNameFindings(std::string_view key, FindingList& findings);
// Adds TensorNameEmpty, TensorNameNotUtf8 or TensorNameTooLong.
void addTensorNameFindings(std::string_view name, FindingList& findings);

} // namespace gufo::gguf
