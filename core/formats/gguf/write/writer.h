// Writes GGUF version 3 in either byte order. Tensors are packed in the order in which they were added, as runtimes
// require.
//
// The header is small and kept in memory; the caller streams the tensor data. Keys and tensors of unknown types pass
// through unchanged.
#pragma once

#include "base/job_context.h"
#include "model/tensor_info.h"
#include "model/value.h"

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gufo::gguf {

// Receives the bytes of the file in order.
using Sink = std::function<Result<>(Bytes)>;

class Writer {
public:
    explicit Writer(ByteOrder order = ByteOrder::Little)
        : m_layout{.order = order} {}

    // Copies the value; an array of any layout is converted. The key "general.alignment" sets the alignment of the
    // file. Errors: InvalidArgument for an empty or duplicate key, for an alignment that is not a u32, not a power of
    // two or less than 8, and for a damaged array.
    [[nodiscard]] Result<> add(std::string_view key, const Value& value);

    // Announces a tensor with `bytes` bytes of data. Errors: InvalidArgument for an empty or duplicate name, or if the
    // file would exceed 2^63 bytes.
    [[nodiscard]] Result<> addTensor(std::string_view name, std::uint32_t typeId, const Shape& shape,
                                     std::uint64_t bytes);

    // Everything before the tensor data, padding included.
    [[nodiscard]] std::vector<std::byte> header() const;
    // The offset of each tensor from the start of the tensor data.
    [[nodiscard]] std::vector<std::uint64_t> offsets() const;
    // The size of the whole file, including the padding of the last tensor.
    [[nodiscard]] std::uint64_t fileBytes() const;

    // Writes the file. `data(i, out)` passes the bytes of tensor i to `out` in any number of pieces. Progress is in
    // bytes. Errors: the errors of `sink` and `data`; InvalidArgument if a tensor does not have the announced number of
    // bytes; Cancelled.
    using TensorData = std::function<Result<>(std::size_t tensor, const Sink& out)>;
    [[nodiscard]] Result<> write(const Sink& sink, const TensorData& data, const JobContext& job = {}) const;

private:
    struct Tensor {
        std::string name;
        std::uint32_t typeId;
        Shape shape;
        std::uint64_t bytes;
    };

    [[nodiscard]] std::uint64_t padded(std::uint64_t bytes) const;

    ValueLayout m_layout;
    std::uint32_t m_alignment = 32;
    std::vector<std::byte> m_keyValues;
    std::unordered_set<std::string> m_keys;
    std::vector<Tensor> m_tensors;
    std::unordered_set<std::string> m_names;
    std::uint64_t m_dataBytes = 0; // upper bound, kept below 2^63
};

} // namespace gufo::gguf
