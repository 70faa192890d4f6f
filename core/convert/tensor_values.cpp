#include "convert/tensor_values.h"

#include "base/detail.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

bool isRecoding(Kind kind) { return operationFact(kind).reversal == Reversal::Recoding; }

// A number is a tensor of one weight.
Shape atLeastOneDimension(const Shape& shape) {
    constexpr std::uint64_t kOne = 1;
    return shape.count() == 0 ? Shape(std::span(&kOne, 1)) : shape;
}

class Stored final : public TensorValues {
public:
    Stored(const Model& model, const TensorInfo& tensor, const StoredRows& rows)
        : TensorValues(atLeastOneDimension(tensor.shape))
        , m_model(model)
        , m_tensor(tensor)
        , m_rows(rows) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override { return decode(m_rows, first, out); }

    std::optional<std::uint32_t> encodedType() const override {
        const TensorTypeFact& type = m_rows.type();
        return type.inGguf() && type.blockSize == 1 && m_rows.order == ByteOrder::Little ? std::optional(type.id)
                                                                                         : std::nullopt;
    }
    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        return copyStored(m_rows, first, count, out);
    }
    std::optional<Bytes> stored() const override {
        const bool inOrder = encodedType() && m_rows.layout.strides() == nullptr;
        return inOrder ? std::optional(m_rows.bytes.first(blocksBytes(m_rows.type(), m_tensor.weights())))
                       : std::nullopt;
    }

    void release() const override {
        m_model.sourceOf(m_tensor)->advise({m_tensor.offset, m_tensor.bytes.value_or(0)}, Access::Release);
    }

private:
    const Model& m_model;
    const TensorInfo& m_tensor;
    StoredRows m_rows;
};

class ComputedValues final : public TensorValues {
public:
    ComputedValues(std::vector<float> values, const Shape& shape)
        : TensorValues(shape)
        , m_values(std::move(values)) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        std::ranges::copy(std::span(m_values).subspan(first, out.size()), out.begin());
        return {};
    }

private:
    std::vector<float> m_values;
};

class Zeros final : public TensorValues {
public:
    explicit Zeros(const Shape& shape)
        : TensorValues(shape) {}

    Result<> values(std::uint64_t, std::span<float> out) const override {
        std::ranges::fill(out, 0.0F);
        return {};
    }
};

// Values that are computed from the values of another object.
class Derived : public TensorValues {
public:
    void release() const override { m_from->release(); }

protected:
    Derived(const Shape& shape, ValuesPtr from)
        : TensorValues(shape)
        , m_from(std::move(from)) {}

    const ValuesPtr m_from;
};

class Reshaped final : public Derived {
public:
    Reshaped(const Shape& shape, ValuesPtr from)
        : Derived(shape, std::move(from)) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override { return m_from->values(first, out); }
    std::optional<std::uint32_t> encodedType() const override {
        // Blocks must not cross the ends of rows.
        const auto type = m_from->encodedType();
        return type && shape()[0] % findTensorType(*type)->blockSize == 0 ? type : std::nullopt;
    }
    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        return m_from->encoded(first, count, out);
    }
    std::optional<Bytes> stored() const override { return encodedType() ? m_from->stored() : std::nullopt; }
};

class Elementwise final : public Derived {
public:
    Elementwise(const Shape& shape, const Operation& operation, ValuesPtr from)
        : Derived(shape, std::move(from))
        , m_operation(operation) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        GUFO_TRY(m_from->values(first, out));
        switch (m_operation.kind) {
        case Kind::Add:
            for (float& value : out) {
                value += static_cast<float>(m_operation.parameters[0]);
            }
            break;
        case Kind::Scale: {
            const auto factor = static_cast<float>(factorOf(m_operation));
            for (float& value : out) {
                value *= factor;
            }
            break;
        }
        case Kind::NegateExponential:
            for (float& value : out) {
                value = -exponential(value);
            }
            break;
        case Kind::Reciprocal:
            for (float& value : out) {
                value = 1 / value;
            }
            break;
        default:
            for (float& value : out) {
                value = std::log(-value);
            }
        }
        return {};
    }

private:
    const Operation& m_operation;
};

// Weights as BitNet's layers use them: −s, 0 or s. The scale s is a mean of all weights, which are read for it once.
class RoundedToTernary final : public Derived {
public:
    RoundedToTernary(const Shape& shape, ValuesPtr from)
        : Derived(shape, std::move(from)) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        std::call_once(m_once, [this] { m_inverse = inverseScale(); });
        const auto read = m_inverse ? m_from->values(first, out) : std::unexpected(m_inverse.error());
        for (float& value : out) {
            value = std::clamp(std::nearbyint(value * m_inverse.value_or(1)), -1.0F, 1.0F) / m_inverse.value_or(1);
        }
        return read;
    }

private:
    Result<float> inverseScale() const {
        constexpr std::uint64_t kPiece = 1U << 16U;
        constexpr float kSmallest = 1e-5F;
        const std::uint64_t count = shape().weights().value_or(0);
        std::vector<float> piece;
        double sum = 0;
        for (std::uint64_t first = 0; first < count; first += kPiece) {
            piece.resize(std::min(kPiece, count - first));
            GUFO_TRY(m_from->values(first, piece));
            for (const float value : piece) {
                sum += std::abs(static_cast<double>(value));
            }
        }
        const double mean = sum / static_cast<double>(std::max<std::uint64_t>(count, 1));
        return 1 / std::max(static_cast<float>(mean), kSmallest);
    }

    mutable std::once_flag m_once;
    mutable Result<float> m_inverse = 1.0F; // of the scale
};

// Rows of another, in another order.
class Selected final : public Derived {
public:
    Selected(const Shape& shape, const RowSelection& selection, ValuesPtr from)
        : Derived(shape, std::move(from))
        , m_selection(selection) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        return eachRun(first, out.size(), [&](std::uint64_t from, std::uint64_t done, std::uint64_t count) {
            return m_from->values(from, out.subspan(done, count));
        });
    }

    std::optional<std::uint32_t> encodedType() const override {
        const auto type = m_from->encodedType();
        return type && m_selection.rowWeights % findTensorType(*type)->blockSize == 0 ? type : std::nullopt;
    }
    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        const TensorTypeFact& type = *findTensorType(*encodedType());
        return eachRun(first, count, [&](std::uint64_t from, std::uint64_t done, std::uint64_t weights) {
            return m_from->encoded(from, weights, out.subspan(blocksBytes(type, done), blocksBytes(type, weights)));
        });
    }

private:
    // Calls run(first weight in the source, weights done before, weights) for runs that are contiguous in the source.
    template<typename Run>
    Result<> eachRun(std::uint64_t first, std::uint64_t count, const Run& run) const {
        const std::uint64_t row = m_selection.rowWeights;
        std::uint64_t done = 0;
        while (done < count) {
            const std::uint64_t at = first + done;
            const std::uint64_t from = placeOf(at / row) * row + at % row;
            std::uint64_t weights = std::min(row - at % row, count - done);
            while (done + weights < count && placeOf((at + weights) / row) * row == from + weights) {
                weights += std::min(row, count - done - weights);
            }
            GUFO_TRY(run(from, done, weights));
            done += weights;
        }
        return {};
    }

    // The row of the source, counted over all tensors above the axis.
    [[nodiscard]] std::uint64_t placeOf(std::uint64_t row) const {
        return row / m_selection.rows * m_selection.sourceRows + m_selection.sourceOf(row % m_selection.rows);
    }

    RowSelection m_selection;
};

class Transposed final : public Derived {
public:
    Transposed(const Shape& shape, ValuesPtr from)
        : Derived(shape, std::move(from)) {}

    // Reads the columns of the source that the rows are, one row of the source after the other.
    Result<> values(std::uint64_t first, std::span<float> out) const override {
        const std::uint64_t columns = shape()[0];
        const std::uint64_t rows = shape()[1];
        const std::uint64_t matrix = columns * rows;
        std::vector<float> run;
        for (std::uint64_t done = 0; done < out.size();) {
            const std::uint64_t at = first + done;
            const std::uint64_t within = at % matrix;
            const std::uint64_t firstRow = within / columns;
            const std::uint64_t last = std::min(within + (out.size() - done), matrix) - 1;
            const std::uint64_t count = last / columns - firstRow + 1;
            run.resize(count);
            for (std::uint64_t column = 0; column < columns; ++column) {
                GUFO_TRY(m_from->values(at - within + column * rows + firstRow, run));
                for (std::uint64_t i = 0; i < count; ++i) {
                    const std::uint64_t weight = (firstRow + i) * columns + column;
                    if (weight >= within && weight <= last) {
                        out[done + weight - within] = run[i];
                    }
                }
            }
            done += last - within + 1;
        }
        return {};
    }
};

class Stack final : public TensorValues {
public:
    Stack(const Shape& shape, std::vector<ValuesPtr> parts)
        : TensorValues(shape)
        , m_parts(std::move(parts))
        , m_each(m_parts[0]->shape().weights().value_or(0)) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        for (std::uint64_t done = 0; done < out.size();) {
            const std::uint64_t at = first + done;
            const std::uint64_t count = std::min(m_each - at % m_each, out.size() - done);
            GUFO_TRY(m_parts[at / m_each]->values(at % m_each, out.subspan(done, count)));
            done += count;
        }
        return {};
    }

    std::optional<std::uint32_t> encodedType() const override {
        const auto type = m_parts[0]->encodedType();
        const bool all = std::ranges::all_of(m_parts, [&](const ValuesPtr& p) { return p->encodedType() == type; });
        return all ? type : std::nullopt;
    }
    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        const TensorTypeFact& type = *findTensorType(*encodedType());
        for (std::uint64_t done = 0; done < count;) {
            const std::uint64_t at = first + done;
            const std::uint64_t weights = std::min(m_each - at % m_each, count - done);
            GUFO_TRY(m_parts[at / m_each]->encoded(at % m_each, weights,
                                                   out.subspan(blocksBytes(type, done), blocksBytes(type, weights))));
            done += weights;
        }
        return {};
    }

    void release() const override {
        for (const ValuesPtr& part : m_parts) {
            part->release();
        }
    }

private:
    std::vector<ValuesPtr> m_parts;
    std::uint64_t m_each;
};

// One of the tensors of a stack.
class Unstacked final : public Derived {
public:
    Unstacked(const Shape& shape, std::uint64_t index, ValuesPtr from)
        : Derived(shape, std::move(from))
        , m_first(index * shape.weights().value_or(0)) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        return m_from->values(m_first + first, out);
    }

private:
    std::uint64_t m_first;
};

} // namespace

Result<> TensorValues::encoded(std::uint64_t, std::uint64_t, std::span<std::byte>) const {
    return fail(ErrorCode::NotSupported, {}, {Detail::TensorSizeUnknown});
}

Result<ValuesPtr> storedValues(const Model& model, TensorIndex index) {
    const TensorInfo& tensor = model.tensor(index);
    if (!tensor.complete()) {
        return fail(ErrorCode::Truncated, Place::tensor(std::string(tensor.name)),
                    {tensor.name, tensor.bytes.value_or(0), tensor.bytesPresent});
    }
    const auto rows = GUFO_TRY(model.rowsOf(tensor));
    return std::make_unique<Stored>(model, tensor, rows);
}

ValuesPtr computedValues(std::vector<float> values, const Shape& shape) {
    return std::make_unique<ComputedValues>(std::move(values), shape);
}

Result<ValuesPtr> operated(ValuesPtr values, const Operation& operation) {
    const auto shape = shapeAfter(operation, values->shape());
    const auto selection = rowSelection(operation, values->shape());
    if (!shape || !selection) {
        return std::unexpected(shape ? selection.error() : shape.error());
    }
    if (*selection) {
        return std::make_unique<Selected>(*shape, **selection, std::move(values));
    }
    switch (operation.kind) {
    case Kind::Reshape:
        return std::make_unique<Reshaped>(*shape, std::move(values));
    case Kind::Add:
    case Kind::Scale:
    case Kind::NegateExponential:
    case Kind::LogarithmOfNegative:
    case Kind::Reciprocal:
        return std::make_unique<Elementwise>(*shape, operation, std::move(values));
    case Kind::RoundToTernary:
        return std::make_unique<RoundedToTernary>(*shape, std::move(values));
    case Kind::Transpose:
        return std::make_unique<Transposed>(*shape, std::move(values));
    case Kind::Unstack:
        return std::make_unique<Unstacked>(*shape, static_cast<std::uint64_t>(operation.parameters[0]),
                                           std::move(values));
    default:
        return values;
    }
}

Result<ValuesPtr> stacked(std::vector<ValuesPtr> parts) {
    for (const ValuesPtr& part : parts) {
        if (part->shape() != parts[0]->shape()) {
            return fail(ErrorCode::WrongShape, {}, {shapeText(part->shape()), shapeText(parts[0]->shape())});
        }
    }
    const auto shape =
        GUFO_TRY(shapeAfter({Kind::Stack, {static_cast<std::int64_t>(parts.size())}}, parts[0]->shape()));
    return std::make_unique<Stack>(shape, std::move(parts));
}

Result<ValuesPtr> applied(const Model& model, std::span<const SourcePart> parts, std::span<const Operation> operations,
                          std::span<const float> computed) {
    const auto stack = std::ranges::find(operations, Kind::Stack, &Operation::kind);
    const auto source = [&](const SourcePart& part) -> Result<ValuesPtr> {
        return part.isZero ? std::make_unique<Zeros>(part.shape) : storedValues(model, part.weight);
    };
    std::vector<ValuesPtr> values;
    for (const SourcePart& part : parts) {
        ValuesPtr each;
        for (auto operation = operations.begin(); operation != stack; ++operation) {
            if (isRecoding(operation->kind)) {
                each = GUFO_TRY(recodedValues(model, part, *operation));
                continue;
            }
            if (each == nullptr) {
                each = GUFO_TRY(source(part));
            }
            each = GUFO_TRY(operated(std::move(each), *operation));
        }
        if (each == nullptr) {
            each = GUFO_TRY(source(part));
        }
        values.push_back(std::move(each));
    }
    if (values.empty()) {
        const std::uint64_t count = computed.size();
        values.push_back(computedValues({computed.begin(), computed.end()}, Shape(std::span(&count, 1))));
    }
    Result<ValuesPtr> result = stack != operations.end() ? stacked(std::move(values)) : std::move(values[0]);
    for (auto operation = stack; result && operation != operations.end(); ++operation) {
        if (operation->kind != Kind::Stack) {
            result = operated(*std::move(result), *operation);
        }
    }
    return result;
}

namespace {

// PyTorch computes vectors with expf_u10 of SLEEF, whose steps and constants follow: x = q·ln 2 + s, with ln 2 in two
// parts so that s is exact enough, and a polynomial of s. Each step must round where it does.
constexpr float kLog2E = 1.442695040888963407F;
constexpr float kLn2Upper = 0.693145751953125F;
constexpr float kLn2Lower = 1.428606765330187045e-06F;
constexpr std::array kTerms = {0.000198527617612853646F, 0.00139304355252534151F, 0.00833336077630519867F,
                               0.0416664853692054749F,   0.166666671633720398F,   0.5F};

// Beyond it, the result is 0 or infinite.
constexpr float kLargest = 104;

} // namespace

float exponential(float x) {
    if (std::isnan(x) || std::abs(x) > kLargest) {
        return std::isnan(x) ? x : x < 0 ? 0.0F : std::numeric_limits<float>::infinity();
    }
    const float q = std::nearbyint(x * kLog2E);
    const float s = std::fma(q, -kLn2Lower, std::fma(q, -kLn2Upper, x));
    float sum = 0;
    for (const float term : kTerms) {
        sum = std::fma(sum, s, term);
    }
    return std::ldexp(1 + std::fma(s * s, sum, s), static_cast<int>(q));
}

} // namespace gufo::convert
