// Writes GGUF version 3, in either byte order: tensors packed in the order in which they were added, as runtimes
// require.
//
// The header is small and kept; tensor data is streamed from whoever has it. Keys and tensors of types that nobody
// knows go through unchanged.
//
// Threads: one at a time.
#pragma once

#include "base/job_context.h"
#include "model/tensor_info.h"
#include "model/value.h"

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gufo::gguf {

// An array value in the making; its bytes are what view() views.
class ArrayBuilder {
public:
    explicit ArrayBuilder(ValueType elementType, ValueLayout layout = {})
        : m_elementType(elementType)
        , m_layout(layout) {}

    // The element must be of the array's type.
    void add(const Value& element);
    [[nodiscard]] ArrayView view() const {
        return {.elementType = m_elementType, .length = m_length, .bytes = m_bytes, .layout = m_layout};
    }

private:
    ValueType m_elementType;
    ValueLayout m_layout;
    std::uint64_t m_length = 0;
    std::vector<std::byte> m_bytes;
};

// Takes the bytes of the file, in order.
using Sink = std::function<Result<>(Bytes)>;

class Writer {
public:
    explicit Writer(ByteOrder order = ByteOrder::Little)
        : m_layout{.order = order} {}

    // Copies the value; an array of any layout is converted. "general.alignment" sets the alignment of the file.
    // Errors: InvalidArgument for an empty key, one that is there already, an alignment that is no u32, no power of two
    // or below 8, an array whose bytes are no such array.
    [[nodiscard]] Result<> add(std::string_view key, const Value& value);

    // `bytes` of data will be written for it. Errors: InvalidArgument for an empty name or one that is there already,
    // or where the file grows past 2^63 bytes.
    [[nodiscard]] Result<> addTensor(std::string_view name, std::uint32_t typeId, const Shape& shape,
                                     std::uint64_t bytes);

    // Everything before the tensor data, padding included.
    [[nodiscard]] std::vector<std::byte> header() const;
    // From the start of the tensor data, of tensor i.
    [[nodiscard]] std::vector<std::uint64_t> offsets() const;
    // Of the whole file, the padding of the last tensor included.
    [[nodiscard]] std::uint64_t fileBytes() const;

    // Writes the file; `data(i, out)` gives `out` the bytes of tensor i, in as many pieces as it likes. Progress in
    // bytes. Errors: those of sink and data; InvalidArgument if the bytes given are not as many as announced;
    // Cancelled.
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
