// The data types of safetensors. Their names are those of the table of tensor types, except that the table knows the
// types that ggml also has under ggml's numbers.
#pragma once

#include "tensor/tensor_type.h"

#include <string_view>

namespace gufo::safetensors {

// Null if there is no such type.
[[nodiscard]] const TensorTypeInfo* findDataType(std::string_view name);

} // namespace gufo::safetensors
