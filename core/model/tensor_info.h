// What a file says of a tensor, and where its bytes are.
#pragma once

#include "base/byte_source.h"
#include "model/index.h"
#include "tensor/tensor_type.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gufo {

// Numbers of weights along each dimension, fastest first: {columns, rows, …}; `dims()[0]` is ggml's ne[0].
class Shape {
public:
    // ggml allows 4; a viewer opens more, with a finding.
    static constexpr std::size_t kMaxDimensions = 8;

    constexpr Shape() = default;
    explicit Shape(std::span<const std::uint64_t> dims); // at most kMaxDimensions
    [[nodiscard]] std::span<const std::uint64_t> dims() const { return {m_dims.data(), m_count}; }
    [[nodiscard]] std::size_t count() const { return m_count; }
    // Dimension i, 1 past the last.
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const { return i < m_count ? m_dims[i] : 1; }

    // Product of all (1 for a scalar, 0 if any is 0); nothing if it overflows 64 bits.
    [[nodiscard]] std::optional<std::uint64_t> weights() const;
    // Weights / columns: rows over all higher dimensions. Nothing as for weights().
    [[nodiscard]] std::optional<std::uint64_t> rows() const;
    bool operator==(const Shape&) const = default;

private:
    std::array<std::uint64_t, kMaxDimensions> m_dims{};
    std::size_t m_count = 0;
};

struct TensorInfo {
    std::string_view name; // bytes as in the file
    std::uint32_t typeId = 0;
    Shape shape;
    FileIndex file{};                     // the shard
    std::uint64_t declaredOffset = 0;     // as written, from the start of the tensor data
    std::uint64_t offset = 0;             // in the file
    std::optional<std::uint64_t> bytes{}; // nothing if the size overflows, or cannot be told for an unknown type
    bool bytesDerived = false;      // the type is unknown: `bytes` reach to the next tensor or the end of the file
    std::uint64_t bytesPresent = 0; // those of `bytes` that lie in the file: less when it is truncated
    std::uint64_t recordOffset = 0; // of the tensor's record in the file

    [[nodiscard]] const TensorTypeInfo* type() const { return findTensorType(typeId); }
    // The type's name, or "type 123".
    [[nodiscard]] std::string typeName() const;
    [[nodiscard]] bool complete() const { return bytes && bytesPresent == *bytes; }
    // Weights, 0 if the product overflows.
    [[nodiscard]] std::uint64_t weights() const { return shape.weights().value_or(0); }
    // 8 × bytes / weights; nothing where that makes no sense.
    [[nodiscard]] std::optional<double> bitsPerWeight() const;
};

} // namespace gufo
