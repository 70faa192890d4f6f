// The values of a tensor whose source has another layout of blocks than GGUF. Subclasses make the blocks of GGUF, from
// which the weights are decoded.
//
// Threads: const members are thread-safe.
#pragma once

#include "convert/tensor_values.h"

namespace gufo::convert {

class RepackedValues : public TensorValues {
public:
    std::optional<std::uint32_t> encodedType() const override { return m_type.id; }
    Result<> values(std::uint64_t first, std::span<float> out) const override;
    void release() const override;

protected:
    // `type` is the type of the blocks. The model and its tensor `source` must outlive the values.
    RepackedValues(const Model& model, const TensorInfo& source, const Shape& shape, const TensorTypeFact& type)
        : TensorValues(shape)
        , m_model(model)
        , m_source(source)
        , m_type(type) {}

    [[nodiscard]] const TensorTypeFact& blockType() const { return m_type; }

private:
    const Model& m_model;
    const TensorInfo& m_source;
    const TensorTypeFact& m_type;
};

// Rearranges codes of 4 bits. The low and the high nibble of byte i are the codes of weights 2i and 2i + 1 in `pairs`,
// and of weights i and i + `bytes` in `out`.
void splitPairs(const std::byte* pairs, std::size_t bytes, std::byte* out);

} // namespace gufo::convert
