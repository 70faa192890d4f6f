// The values of a planned tensor, computed when they are requested: stored tensors of the source, and the operations
// on them. A tensor of any size needs memory only for the piece that is being computed, so pieces can be computed on
// several threads.
//
// Stored values are widened to f32 before any arithmetic, so that a result can be compared bit for bit.
//
// Threads: const members are thread-safe.
#pragma once

#include "convert/operation.h"
#include "model/model.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gufo::convert {

class TensorValues {
public:
    virtual ~TensorValues() = default;

    [[nodiscard]] const Shape& shape() const { return m_shape; }

    // The weights [first, first + out.size()). Errors: the errors of reading the source.
    [[nodiscard]] virtual Result<> values(std::uint64_t first, std::span<float> out) const = 0;

    // The type in which the weights are available without being decoded, if there is one.
    [[nodiscard]] virtual std::optional<std::uint32_t> encodedType() const { return std::nullopt; }
    // Writes the encoded weights [first, first + count), which are whole blocks of encodedType(), to `out`, which has
    // their size. Errors: as for values().
    [[nodiscard]] virtual Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const;

    // All weights as they are stored, if they are stored in order and as blocks of encodedType().
    [[nodiscard]] virtual std::optional<Bytes> stored() const { return std::nullopt; }

    // Advises the system that the stored bytes from which the weights are computed will not be read again. Does nothing
    // where finding them would be expensive.
    virtual void release() const {}

protected:
    explicit TensorValues(const Shape& shape)
        : m_shape(shape) {}

private:
    Shape m_shape;
};
using ValuesPtr = std::unique_ptr<const TensorValues>;

// The tensors that a planned tensor is made of: one for each part of a stack.
struct SourcePart {
    TensorIndex weight{0};
    // The other tensors of its encoding, such as scales, in the order of the encoding's companions (source_tensors.h);
    // nothing where an optional one is absent.
    std::vector<std::optional<TensorIndex>> companions{};
    Shape shape{};       // of the decoded tensor
    bool isZero = false; // zeros in place of the tensor `weight`, of the same shape
};

// The stored tensor itself. Errors: NotDecodable, Truncated, the errors of Model::rowsOf().
[[nodiscard]] Result<ValuesPtr> storedValues(const Model& model, TensorIndex tensor);
// The values given, for Compute.
[[nodiscard]] ValuesPtr computedValues(std::vector<float> values, const Shape& shape);
// The tensor decoded from an encoding of several tensors, which `operation` names. Errors: the errors of
// storedValues(); WrongShape.
[[nodiscard]] Result<ValuesPtr> recodedValues(const Model& model, const SourcePart& part, const Operation& operation);
// An operation on one tensor. Errors: the errors of shapeAfter(). `operation` must outlive the result.
[[nodiscard]] Result<ValuesPtr> operated(ValuesPtr values, const Operation& operation);
// Tensors of one shape, stacked. Errors: WrongShape, the errors of shapeAfter().
[[nodiscard]] Result<ValuesPtr> stacked(std::vector<ValuesPtr> parts);

// Applies the operations in their order: operations before Stack to each part, the others to the result. `operations`
// must outlive the result.
[[nodiscard]] Result<ValuesPtr> applied(const Model& model, std::span<const SourcePart> parts,
                                        std::span<const Operation> operations, std::span<const float> computed = {});

// e to the power of a number, with the bits that PyTorch gives on x86-64. The official converter is a PyTorch program,
// and the nearest float would differ from its result in about one of 13 weights, by the last bit.
[[nodiscard]] float exponential(float x);

} // namespace gufo::convert
