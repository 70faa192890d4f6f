// A run of whole rows of a tensor: all of it, one expert's matrix, or one part of a fused tensor. What a comparison
// works on.
#pragma once

#include "model/model.h"

#include <span>

namespace gufo {

struct TensorPart {
    TensorIndex tensor{};
    std::uint64_t firstWeight = 0; // index in the tensor
    std::uint64_t columns = 0;
    std::uint64_t rows = 0; // over all higher dimensions

    // 0 for a tensor whose number of weights overflows.
    [[nodiscard]] std::uint64_t weights() const { return columns * rows; }
    bool operator==(const TensorPart&) const = default;
};
[[nodiscard]] TensorPart wholeTensor(const Model& model, TensorIndex tensor);

// The bytes that a part takes in its tensor, in proportion where the part does not consist of whole blocks; nothing
// where the tensor's size is not known.
[[nodiscard]] std::optional<std::uint64_t> partBytes(const Model& model, const TensorPart& part);

// The values of a part, decoded where they are asked for. Views the model, which must outlive it. Threads: any.
class PartReader {
public:
    // Errors: NotDecodable, those of Model::bytesOf.
    [[nodiscard]] static Result<PartReader> open(const Model& model, const TensorPart& part);

    // Weights of the part that the file holds: fewer than part().weights() in a truncated file.
    [[nodiscard]] std::uint64_t present() const { return m_present; }
    [[nodiscard]] const TensorPart& part() const { return m_part; }
    [[nodiscard]] std::uint32_t typeId() const { return m_type->id; }
    [[nodiscard]] bool needsDouble() const { return m_needsDouble; }
    // Weights [first, first + out.size()) of the part, which must be present.
    void read(std::uint64_t first, std::span<float> out) const;
    void read(std::uint64_t first, std::span<double> out) const;

    // The whole blocks that hold a run of the part's weights; nothing where the run does not start and end with a
    // block.
    [[nodiscard]] std::optional<Bytes> blocks(std::uint64_t first, std::uint64_t count) const;
    [[nodiscard]] const ByteSource& source() const { return *m_source; }
    [[nodiscard]] ByteOrder order() const { return m_order; }
    // Where in the source those bytes are that hold a run of weights.
    [[nodiscard]] ByteRange range(std::uint64_t first, std::uint64_t count) const;

private:
    TensorPart m_part;
    const TensorTypeInfo* m_type = nullptr;
    const ByteSource* m_source = nullptr;
    Bytes m_bytes; // of the tensor
    std::uint64_t m_offset = 0;
    std::uint64_t m_present = 0;
    ByteOrder m_order = ByteOrder::Little;
    bool m_needsDouble = false;
};

} // namespace gufo
