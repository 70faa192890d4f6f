// The numbers of tensor types in files from before GGUF, which stand for other encodings than the same numbers do now.
#pragma once

#include "formats/ggml/families.h"
#include "tensor/tensor_type.h"

namespace gufo::ggml {

struct StoredType {
    const TensorTypeInfo* info = nullptr;
    std::string_view name; // the file's own: "Q4_0" for every layout of Q4_0
};

// Returns no info for a number that files of this layout cannot have. `rwkvNumbers` is Family::rwkvTypeNumbers.
[[nodiscard]] StoredType storedType(std::uint32_t number, DataLayout layout, bool rwkvNumbers);

// Whether a value of ftype names a type of that time.
[[nodiscard]] bool isKnownFileType(std::uint32_t fileType);

} // namespace gufo::ggml
