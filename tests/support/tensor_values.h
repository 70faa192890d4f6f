// The decoded weights of a tensor, and floats as bytes, for tests that compare them.
#pragma once

#include "base/byte_order.h"
#include "model/model.h"
#include "tensor/decode.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace gufo::test {

// Empty if there is no such tensor, or it cannot be decoded.
inline std::vector<float> valuesOf(const Model& model, std::string_view name) {
    const auto index = model.findTensor(name);
    const auto rows = index ? model.rowsOf(model.tensor(*index)) : fail(ErrorCode::NoSuchTensor);
    std::vector<float> values(rows ? model.tensor(*index).weights() : 0);
    return rows && decode(*rows, 0, values) ? values : std::vector<float>();
}

// Little-endian.
inline std::vector<std::byte> bytesOf(const std::vector<float>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i) {
        store(bytes.data() + i * sizeof(float), values[i]);
    }
    return bytes;
}

} // namespace gufo::test
