// general.file_type: what a file says of the type of most of its tensors. Its numbers are not those of tensor types.
#pragma once

#include "tensor/tensor_type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace gufo {

struct FileTypeFact {
    std::uint32_t value;
    std::string_view name; // "Q4_K_M"
    // The tensor type that a file of this type has most of; mixes add others.
    std::uint32_t tensorType;
    bool removed; // runtimes refuse it
};
[[nodiscard]] std::span<const FileTypeFact> fileTypes();

// Set in a value that was guessed from the tensors.
inline constexpr std::uint64_t kFileTypeGuessed = 1024;

// The row of a value, with or without the flag; null if the number is not known.
[[nodiscard]] const FileTypeFact* findFileType(std::uint64_t value);
// By name, letter case ignored ("q4_k_m").
[[nodiscard]] const FileTypeFact* findFileType(std::string_view name);

} // namespace gufo
