// Reads the tensors of an encoding and checks their sizes; encoded_values.h computes the values.
#include "base/detail.h"
#include "base/json_value.h"
#include "convert/encoded_values.h"
#include "convert/legacy_blocks.h"
#include "tensor/decode.h"

#include <algorithm>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

// The bytes of a tensor of codes. Errors: the errors of Model::bytesOf(); NotSupported if they are not stored in order.
Result<Bytes> codesOf(const Model& model, TensorIndex index) {
    const TensorInfo& tensor = model.tensor(index);
    if (tensor.strides != nullptr) {
        return fail(ErrorCode::NotSupported, Place::tensor(std::string(tensor.name)), {Detail::WeightsNotInOrder});
    }
    if (!tensor.complete()) {
        return fail(ErrorCode::Truncated, Place::tensor(std::string(tensor.name)),
                    {tensor.name, tensor.bytes.value_or(0), tensor.bytesPresent});
    }
    return model.bytesOf(tensor);
}

// All values of a small tensor: scales, zeros, tables.
Result<std::vector<float>> numbersOf(const Model& model, TensorIndex index) {
    const TensorInfo& tensor = model.tensor(index);
    const auto rows = GUFO_TRY(model.rowsOf(tensor));
    std::vector<float> numbers(tensor.shape.weights().value_or(0));
    GUFO_TRY(decode(rows, 0, numbers));
    return numbers;
}

// Reads the tensors of a matrix, and checks their sizes, so that every index is within them.
class EncodingReader {
public:
    EncodingReader(const Model& model, const SourcePart& part, const Operation& operation)
        : m_model(model)
        , m_part(part)
        , m_operation(operation) {}

    Result<ValuesPtr> read() {
        if (!m_part.shape.weights() || *m_part.shape.weights() == 0) {
            return unfit(m_part.weight);
        }
        switch (m_operation.kind) {
        case Kind::RepackMxfp4:
            return repack(TensorType::MXFP4, 32);
        case Kind::RepackNvfp4:
            return repack(TensorType::NVFP4, 16);
        case Kind::DequantiseBlocks:
            return blocks(static_cast<std::uint64_t>(m_operation.parameters[0]),
                          static_cast<std::uint64_t>(m_operation.parameters[1]), 1);
        case Kind::DequantiseRows:
            return blocks(m_part.shape[0], 1, 127);
        case Kind::DequantiseTable:
            return table();
        case Kind::DequantiseTernary:
            return ternary();
        case Kind::RepackLegacy:
            return legacyBlocks(m_model, m_part.weight);
        default:
            return grouped();
        }
    }

private:
    std::unexpected<Error> unfit(TensorIndex tensor) const {
        const TensorInfo& info = m_model.tensor(tensor);
        return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(info.name)),
                    {Argument(Detail::OperationUnfit, {operationFact(m_operation.kind).name, shapeText(info.shape)})});
    }

    // A companion's numbers. There must be at least `needed` of them.
    Result<std::vector<float>> numbers(std::size_t companion, std::uint64_t needed) const {
        const TensorIndex index = *m_part.companions[companion];
        auto read = numbersOf(m_model, index);
        return !read || read->size() >= needed ? std::move(read) : unfit(index);
    }
    [[nodiscard]] bool has(std::size_t companion) const {
        return companion < m_part.companions.size() && m_part.companions[companion].has_value();
    }

    Result<ValuesPtr> repack(TensorType type, std::uint64_t scaleWeights) const {
        const auto codes = codesOf(m_model, m_part.weight);
        const auto scales = codesOf(m_model, *m_part.companions[0]);
        if (!codes || !scales) {
            return std::unexpected(codes ? scales.error() : codes.error());
        }
        const std::uint64_t weights = *m_part.shape.weights();
        const TensorTypeFact& info = tensorTypeFact(type);
        if (codes->size() != weights / 2 || m_part.shape[0] % info.blockSize != 0) {
            return unfit(m_part.weight);
        }
        if (scales->size() != weights / scaleWeights) {
            return unfit(*m_part.companions[0]);
        }
        return repackedValues(m_model, m_part, type, *codes, *scales);
    }

    Result<ValuesPtr> blocks(std::uint64_t columns, std::uint64_t rows, float factor) const {
        if (columns == 0 || rows == 0) {
            return unfit(m_part.weight);
        }
        auto scales = numbers(0, blockScalesNeeded(m_part.shape, columns, rows));
        auto codes = storedValues(m_model, m_part.weight);
        if (!scales || !codes) {
            return std::unexpected(scales ? codes.error() : scales.error());
        }
        return blockScaledValues(m_part.shape, *std::move(codes), *std::move(scales), columns, rows, factor);
    }

    Result<ValuesPtr> grouped() const {
        const Kind kind = m_operation.kind;
        const std::uint64_t columns = m_part.shape[0];
        const std::uint64_t rows = m_part.shape[1];
        GroupedTensors tensors;
        tensors.bits = static_cast<std::uint64_t>(m_operation.parameters[0]);
        tensors.groupSize = static_cast<std::uint64_t>(m_operation.parameters[1]);
        tensors.addedToZeros =
            m_operation.parameters.size() > 2 ? static_cast<std::uint64_t>(m_operation.parameters[2]) : 0;
        const auto codes = GUFO_TRY(codesOf(m_model, m_part.weight));
        const bool awq = kind == Kind::DequantiseAwq;
        const bool affine = kind == Kind::DequantiseAffine;
        const bool packed = kind == Kind::DequantisePacked;
        const std::uint64_t lines = awq ? columns : rows; // along which integers are packed
        const auto fit = [&](bool wholeInWords) {
            return codes.size() ==
                   4 * lines * PackedIntegers::wordsFor(awq ? rows : columns, tensors.bits, wholeInWords);
        };
        const bool wholeInWords = packed && !fit(false); // as the first versions of compressed-tensors wrote them
        if (tensors.groupSize == 0 || m_part.shape.count() != 2 || !fit(wholeInWords)) {
            return unfit(m_part.weight);
        }
        tensors.codes = PackedIntegers(codes, tensors.bits, wholeInWords);
        const std::uint64_t groups = (columns + tensors.groupSize - 1) / tensors.groupSize;
        tensors.scales = GUFO_TRY(numbers(affine || packed ? 0 : 1, groups * rows));
        if (affine) {
            tensors.biases = GUFO_TRY(numbers(1, groups * rows));
        } else if (const std::size_t zeros = packed ? 1 : 0; has(zeros)) {
            const auto words = GUFO_TRY(codesOf(m_model, *m_part.companions[zeros]));
            tensors.zeros = PackedIntegers(words, tensors.bits, wholeInWords);
            if (tensors.zeros.words() < groups * tensors.zeros.wordsFor(rows)) {
                return unfit(*m_part.companions[zeros]);
            }
        }
        if (has(2)) {
            auto order = GUFO_TRY(numbers(2, columns));
            if (!std::ranges::all_of(order, [&](float g) { return g >= 0 && g < static_cast<float>(groups); })) {
                return unfit(*m_part.companions[2]);
            }
            tensors.groupOfColumn = std::move(order);
        }
        return groupedValues(m_model, m_part, kind, std::move(tensors));
    }

    Result<ValuesPtr> ternary() const {
        const auto codes = codesOf(m_model, m_part.weight);
        const auto scale = numbers(0, 1);
        if (!codes || !scale) {
            return std::unexpected(codes ? scale.error() : codes.error());
        }
        constexpr std::uint64_t kPerByte = 4;
        if (codes->empty() || *m_part.shape.weights() != kPerByte * codes->size()) {
            return unfit(m_part.weight);
        }
        return ternaryValues(m_part.shape, *codes, scale->front(), m_operation.parameters[0] != 0);
    }

    Result<ValuesPtr> table() const {
        constexpr std::uint64_t kLevels = 16;
        constexpr std::uint64_t kNestedLevels = 256;
        const std::uint64_t weights = *m_part.shape.weights();
        const auto codes = codesOf(m_model, m_part.weight);
        auto levels = numbers(1, kLevels);
        auto scales = numbers(0, 1);
        if (!codes || !levels || !scales) {
            return std::unexpected(!codes ? codes.error() : !levels ? levels.error() : scales.error());
        }
        const std::uint64_t block = (weights + scales->size() - 1) / scales->size();
        if (codes->size() * 2 < weights) {
            return unfit(m_part.weight);
        }
        if (has(2) && has(3)) { // the scales are quantised themselves
            auto nested = numbers(2, 1);
            auto nestedLevels = numbers(3, kNestedLevels);
            const auto offset = nestedOffset();
            if (!nested || !nestedLevels || !offset) {
                return std::unexpected(!nested         ? nested.error()
                                       : !nestedLevels ? nestedLevels.error()
                                                       : offset.error());
            }
            const std::uint64_t nestedBlock = (scales->size() + nested->size() - 1) / nested->size();
            for (std::size_t i = 0; i < scales->size(); ++i) {
                const auto level = static_cast<std::size_t>((*scales)[i]) % kNestedLevels;
                (*scales)[i] = (*nestedLevels)[level] * (*nested)[i / nestedBlock] + *offset;
            }
        }
        return tabulatedValues(m_part.shape, *codes, *std::move(levels), *std::move(scales), block);
    }

    // The offset that was subtracted from the scales before they were quantised.
    [[nodiscard]] Result<float> nestedOffset() const {
        const auto bytes = GUFO_TRY(codesOf(m_model, has(4) ? *m_part.companions[4] : *m_part.companions[5]));
        const auto json = GUFO_TRY(readJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
        const JsonValue* offset = json.find("nested_offset");
        return offset != nullptr ? static_cast<float>(offset->real().value_or(0)) : 0.0F;
    }

    const Model& m_model;
    const SourcePart& m_part;
    const Operation& m_operation;
};

} // namespace

Result<ValuesPtr> recodedValues(const Model& model, const SourcePart& part, const Operation& operation) {
    return EncodingReader(model, part, operation).read();
}

} // namespace gufo::convert
