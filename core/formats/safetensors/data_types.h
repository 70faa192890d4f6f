// The data types of safetensors. Their names are those of the table of tensor types, except that the table knows the
// types that ggml also has under ggml's numbers.
#pragma once

#include "tensor/tensor_type.h"

#include <cstdint>
#include <string_view>

namespace gufo::safetensors {

// The number of a tensor whose type has a name that is not in the table. The table of tensor types has no such row.
inline constexpr std::uint32_t kUnknownDataType = 0xFFFF'FFFFU;

// Null if there is no such type.
[[nodiscard]] const TensorTypeInfo* findDataType(std::string_view name);

} // namespace gufo::safetensors
