#include "formats/safetensors/data_types.h"

#include <algorithm>
#include <array>

namespace gufo::safetensors {

const TensorTypeInfo* findDataType(std::string_view name) {
    // Dtype of the reference implementation (safetensors/src/tensor.rs).
    constexpr auto kNames = std::to_array<std::string_view>(
        {"BOOL", "U8",          "I8",          "I16",     "U16",     "I32",     "U32",     "I64",
         "U64",  "F16",         "BF16",        "F32",     "F64",     "F8_E4M3", "F8_E5M2", "F8_E8M0",
         "F4",   "F8_E4M3FNUZ", "F8_E5M2FNUZ", "F6_E2M3", "F6_E3M2", "C64"});
    if (std::ranges::find(kNames, name) == kNames.end()) {
        return nullptr;
    }
    const auto types = tensorTypes();
    const auto row = std::ranges::find(types, name, &TensorTypeInfo::name);
    return row != types.end() ? &*row : nullptr;
}

} // namespace gufo::safetensors
