// The values of general.file_type, which names the type of most of a file's tensors. They differ from the numbers of
// tensor types.
#pragma once

#include "tensor/tensor_type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo {

struct FileTypeFact {
    std::uint32_t value;
    std::string_view name; // "Q4_K_M"
    // The type of most tensors in such a file; mixes contain other types as well.
    std::uint32_t tensorType;
    bool removed; // runtimes no longer accept it
};
[[nodiscard]] std::span<const FileTypeFact> fileTypes();

// A flag in values that were inferred from the tensors.
inline constexpr std::uint64_t kFileTypeGuessed = 1024;

// Finds the row of a value, with or without the flag. Returns null if the number is unknown.
[[nodiscard]] const FileTypeFact* findFileType(std::uint64_t value);
// Finds a row by name, ignoring letter case ("q4_k_m").
[[nodiscard]] const FileTypeFact* findFileType(std::string_view name);

} // namespace gufo
