// The description of a tensor in a file, and the location of its bytes.
#pragma once

#include "base/byte_source.h"
#include "model/index.h"
#include "tensor/row_layout.h"
#include "tensor/tensor_type.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gufo {

// The number of weights along each dimension, fastest first: {columns, rows, …}. `dims()[0]` is ggml's ne[0].
class Shape {
public:
    // ggml allows 4. Models with more are opened, with a finding.
    static constexpr std::size_t kMaxDimensions = 8;

    constexpr Shape() = default;
    explicit Shape(std::span<const std::uint64_t> dims); // at most kMaxDimensions
    [[nodiscard]] std::span<const std::uint64_t> dims() const { return {m_dims.data(), m_count}; }
    [[nodiscard]] std::size_t count() const { return m_count; }
    // The size of dimension i, or 1 beyond the last.
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const { return i < m_count ? m_dims[i] : 1; }

    // The product of all dimensions (1 for a scalar, 0 if any is 0), or nothing if it overflows 64 bits.
    [[nodiscard]] std::optional<std::uint64_t> weights() const;
    // The number of rows over all higher dimensions: weights / columns. Nothing if the product overflows.
    [[nodiscard]] std::optional<std::uint64_t> rows() const;
    bool operator==(const Shape&) const = default;

private:
    std::array<std::uint64_t, kMaxDimensions> m_dims{};
    std::size_t m_count = 0;
};

// Bytes of a tensor; nothing if its rows are not whole blocks, or the size overflows.
[[nodiscard]] std::optional<std::uint64_t> tensorBytes(const TensorTypeFact& type, const Shape& shape);

struct TensorInfo {
    std::string_view name; // bytes as in the file
    std::uint32_t typeId = 0;
    // The name that the file itself uses for the type, if it differs from the name in the table of types: "float16". It
    // lives as long as `name`.
    std::string_view ownType{};
    Shape shape;
    FileIndex file{};                     // the shard
    std::uint64_t declaredOffset = 0;     // as stored, relative to the start of the tensor data
    std::uint64_t offset = 0;             // from the start of the file
    std::optional<std::uint64_t> bytes{}; // no value if the size overflows or cannot be derived for an unknown type
    bool bytesDerived = false; // the type is unknown or ambiguous: `bytes` end at the next tensor or the file's end
    std::uint64_t bytesPresent = 0; // how many of `bytes` are in the file; fewer if it is truncated
    std::uint64_t recordOffset = 0; // of the tensor's record in the file
    // Set if the weights are not stored in order; the model owns it. `offset` is then the offset of the first weight,
    // and `bytesPresent` is `bytes`, or 0 unless all weights are in the file. It is 0, too, if `bytes` exceed the file:
    // the weights are so many repetitions that they are not read.
    const Strides* strides = nullptr;

    [[nodiscard]] const TensorTypeFact* type() const { return findTensorType(typeId); }
    // The file's own name of the type, else its name in the table of types, else "type 123".
    [[nodiscard]] std::string typeName() const;
    [[nodiscard]] bool complete() const { return bytes && bytesPresent == *bytes; }
    // The number of weights, or 0 if the product overflows.
    [[nodiscard]] std::uint64_t weights() const { return shape.weights().value_or(0); }
    // 8 × bytes / weights, or nothing if that is undefined.
    [[nodiscard]] std::optional<double> bitsPerWeight() const;
};

} // namespace gufo
