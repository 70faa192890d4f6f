#include "formats/safetensors/data_types.h"

#include <algorithm>
#include <array>

namespace gufo::safetensors {

namespace {

// Dtype of the reference implementation (safetensors/src/tensor.rs), the most frequent first.
constexpr auto kNames = std::to_array<std::string_view>(
    {"BF16", "F16", "F32", "BOOL",    "U8",      "I8",      "I16", "U16",     "I32",     "U32",         "I64",
     "U64",  "F64", "C64", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F4",  "F6_E2M3", "F6_E3M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ"});

using Rows = std::array<const TensorTypeInfo*, kNames.size()>;

Rows rowsOfNames() {
    Rows rows{};
    std::ranges::transform(kNames, rows.begin(), [](std::string_view name) -> const TensorTypeInfo* {
        const auto row = std::ranges::find(tensorTypes(), name, &TensorTypeInfo::name);
        return row != tensorTypes().end() ? &*row : nullptr;
    });
    return rows;
}

} // namespace

const TensorTypeInfo* findDataType(std::string_view name) {
    static const Rows rows = rowsOfNames(); // a header names a type for each tensor
    const auto found = std::ranges::find(kNames, name);
    return found != kNames.end() ? rows[static_cast<std::size_t>(found - kNames.begin())] : nullptr;
}

} // namespace gufo::safetensors
