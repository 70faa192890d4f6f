// A table with one value for each tensor type, such as kernels or layouts. It is indexed by the row of the type in
// tensorTypes(), so its size is the number of types, however large the gaps between their numbers are.
#pragma once

#include "tensor/tensor_type.h"

namespace gufo {

// The accessors are always inlined because the kernels of all instruction sets use them but must not share functions.
template<typename T>
class TensorTypeTable {
public:
    [[gnu::always_inline]] T& operator[](TensorType type) {
        return m_values[tensorTypeRow(static_cast<std::uint32_t>(type))];
    }
    [[gnu::always_inline]] const T& operator[](TensorType type) const {
        return m_values[tensorTypeRow(static_cast<std::uint32_t>(type))];
    }
    // Looks up the number in a file; returns T() for an unknown number.
    [[gnu::always_inline]] const T& operator[](std::uint32_t typeId) const { return m_values[tensorTypeRow(typeId)]; }

private:
    T m_values[kTensorTypes + 1]{}; // the last is for unknown numbers and remains T()
};

} // namespace gufo
