// The encodings of quantised checkpoints: values from codes, scales and zeros that are tensors of their own, and the
// blocks of GGUF where the encoding has the same values there.
//
// Integers of less than 8 bits lie in words of 32 bits, the lowest bits first.
#include "base/byte_order.h"
#include "base/detail.h"
#include "base/json_value.h"
#include "convert/tensor_values.h"
#include "tensor/decode.h"
#include "tensor/float_formats.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

constexpr std::uint64_t kWordBits = 32;

// The bytes of a tensor of codes. Errors: those of Model::bytesOf(); NotSupported if they are not stored in order.
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
    const auto rows = model.rowsOf(tensor);
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::vector<float> numbers(tensor.shape.weights().value_or(0));
    const auto read = decode(*rows, 0, numbers);
    return read ? Result<std::vector<float>>(std::move(numbers)) : std::unexpected(read.error());
}

// Integers of a fixed number of bits in words.
class PackedIntegers {
public:
    PackedIntegers() = default;
    PackedIntegers(Bytes words, std::uint64_t bits)
        : m_words(words)
        , m_bits(bits) {}

    // Integer number `index` of the words from `word` on.
    [[nodiscard]] std::uint32_t at(std::uint64_t word, std::uint64_t index) const {
        const std::uint64_t bit = index * m_bits;
        const std::byte* from = m_words.data() + 4 * (word + bit / kWordBits);
        const std::uint64_t shift = bit % kWordBits;
        std::uint64_t bitsHere = load<std::uint32_t>(from);
        if (shift + m_bits > kWordBits) { // it continues in the next word
            bitsHere |= static_cast<std::uint64_t>(load<std::uint32_t>(from + 4)) << kWordBits;
        }
        return static_cast<std::uint32_t>(bitsHere >> shift) & ((1U << m_bits) - 1);
    }
    [[nodiscard]] std::uint64_t perWord() const { return kWordBits / m_bits; }
    [[nodiscard]] std::uint64_t words() const { return m_words.size() / 4; }

private:
    Bytes m_words;
    std::uint64_t m_bits = 8;
};

class Recoded : public TensorValues {
public:
    Recoded(const Model& model, const SourcePart& part)
        : TensorValues(part.shape)
        , m_model(model)
        , m_weight(part.weight) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        const std::uint64_t columns = shape()[0];
        for (std::uint64_t done = 0; done < out.size();) {
            const std::uint64_t at = first + done;
            const std::uint64_t count = std::min(columns - at % columns, out.size() - done);
            rowValues(at / columns, at % columns, out.subspan(done, count));
            done += count;
        }
        return {};
    }

    void release() const override {
        const TensorInfo& tensor = m_model.tensor(m_weight);
        m_model.sourceOf(tensor)->advise({tensor.offset, tensor.bytes.value_or(0)}, Access::Release);
    }

protected:
    virtual void rowValues(std::uint64_t row, std::uint64_t column, std::span<float> out) const = 0;

private:
    const Model& m_model;
    TensorIndex m_weight;
};

// Codes that are numbers themselves, multiplied by the scale of their block.
class BlockScaled final : public TensorValues {
public:
    BlockScaled(const SourcePart& part, ValuesPtr codes, std::vector<float> scales, std::uint64_t blockColumns,
                std::uint64_t blockRows, float factor = 1)
        : TensorValues(part.shape)
        , m_codes(std::move(codes))
        , m_scales(std::move(scales))
        , m_blockColumns(blockColumns)
        , m_blockRows(blockRows)
        , m_factor(factor) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        if (auto read = m_codes->values(first, out); !read) {
            return read;
        }
        const std::uint64_t columns = shape()[0];
        const std::uint64_t rows = shape()[1];
        const std::uint64_t across = (columns + m_blockColumns - 1) / m_blockColumns;
        const std::uint64_t down = (rows + m_blockRows - 1) / m_blockRows;
        for (std::uint64_t done = 0; done < out.size();) {
            const std::uint64_t at = first + done;
            const std::uint64_t column = at % columns;
            const std::uint64_t row = at / columns;
            const std::uint64_t block =
                (row / rows * down + row % rows / m_blockRows) * across + column / m_blockColumns;
            const std::uint64_t end = std::min((column / m_blockColumns + 1) * m_blockColumns, columns);
            const std::uint64_t count = std::min(end - column, out.size() - done);
            for (float& value : out.subspan(done, count)) {
                value = m_factor == 1 ? value * m_scales[block] : value * m_scales[block] / m_factor;
            }
            done += count;
        }
        return {};
    }
    void release() const override { m_codes->release(); }

    static std::uint64_t scalesNeeded(const Shape& shape, std::uint64_t blockColumns, std::uint64_t blockRows) {
        const std::uint64_t across = (shape[0] + blockColumns - 1) / blockColumns;
        const std::uint64_t down = (shape[1] + blockRows - 1) / blockRows;
        std::uint64_t matrices = 1;
        for (std::size_t i = 2; i < shape.count(); ++i) {
            matrices *= shape[i];
        }
        return across * down * matrices;
    }

private:
    ValuesPtr m_codes;
    std::vector<float> m_scales;
    std::uint64_t m_blockColumns;
    std::uint64_t m_blockRows;
    float m_factor;
};

// Codes in groups of columns, each with a scale and a zero. The encodings differ in where these lie.
struct GroupedTensors {
    PackedIntegers codes;
    PackedIntegers zeros;
    std::vector<float> scales;
    std::vector<float> biases;
    std::vector<float> groupOfColumn;
    std::uint64_t bits = 4;
    std::uint64_t groupSize = 1;
    std::uint64_t addedToZeros = 0;
};

class Grouped final : public Recoded {
public:
    Grouped(const Model& model, const SourcePart& part, Kind kind, GroupedTensors tensors)
        : Recoded(model, part)
        , m_kind(kind)
        , m_tensors(std::move(tensors))
        , m_rows(part.shape[1])
        , m_groups((part.shape[0] + m_tensors.groupSize - 1) / m_tensors.groupSize) {}

private:
    void rowValues(std::uint64_t row, std::uint64_t column, std::span<float> out) const override {
        for (float& value : out) {
            value = valueAt(row, column++);
        }
    }

    [[nodiscard]] float valueAt(std::uint64_t row, std::uint64_t column) const {
        const GroupedTensors& t = m_tensors;
        const std::uint64_t perWord = t.codes.perWord();
        const std::uint64_t group =
            t.groupOfColumn.empty() ? column / t.groupSize : static_cast<std::uint64_t>(t.groupOfColumn[column]);
        switch (m_kind) {
        case Kind::DequantiseGptq: { // words along the columns, scales by group
            const std::uint32_t code = t.codes.at(column / perWord * m_rows + row, column % perWord);
            const std::uint64_t zero = t.zeros.at(group * (m_rows / perWord), row) + t.addedToZeros;
            return t.scales[group * m_rows + row] * (static_cast<float>(code) - static_cast<float>(zero));
        }
        case Kind::DequantiseAwq: { // words along the rows, whose integers are interleaved
            static constexpr auto kPlaces = std::to_array<std::uint64_t>({0, 4, 1, 5, 2, 6, 3, 7});
            const std::uint64_t place = kPlaces[row % perWord];
            const std::uint64_t words = m_rows / perWord;
            const std::uint32_t code = t.codes.at(column * words + row / perWord, place);
            const std::uint32_t zero = t.zeros.at(group * words + row / perWord, place);
            return (static_cast<float>(code) - static_cast<float>(zero)) * t.scales[group * m_rows + row];
        }
        case Kind::DequantisePacked: {
            const std::uint64_t wordsOfRow = shape()[0] / perWord;
            const std::uint32_t code = t.codes.at(row * wordsOfRow, column);
            const std::uint64_t zero = t.zeros.words() == 0
                                           ? std::uint64_t{1} << (t.bits - 1)
                                           : t.zeros.at(row / perWord * m_groups + group, row % perWord);
            return (static_cast<float>(code) - static_cast<float>(zero)) * t.scales[row * m_groups + group];
        }
        default: { // affine
            const std::uint64_t wordsOfRow = shape()[0] * t.bits / kWordBits;
            const std::uint32_t code = t.codes.at(row * wordsOfRow, column);
            const std::uint64_t scale = row * m_groups + group;
            return static_cast<float>(code) * t.scales[scale] + t.biases[scale];
        }
        }
    }

    Kind m_kind;
    GroupedTensors m_tensors;
    std::uint64_t m_rows;
    std::uint64_t m_groups;
};

// Codes of 4 bits into a table of 16 levels, the upper half of a byte first, with a scale for each block of weights.
class Tabulated final : public TensorValues {
public:
    Tabulated(const Shape& shape, Bytes codes, std::vector<float> levels, std::vector<float> scales,
              std::uint64_t block)
        : TensorValues(shape)
        , m_codes(codes)
        , m_levels(std::move(levels))
        , m_scales(std::move(scales))
        , m_block(block) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        for (float& value : out) {
            const auto byte = std::to_integer<unsigned>(m_codes[first / 2]);
            value = m_levels[first % 2 == 0 ? byte >> 4U : byte & 15U] * m_scales[first / m_block];
            ++first;
        }
        return {};
    }

private:
    Bytes m_codes;
    std::vector<float> m_levels;
    std::vector<float> m_scales;
    std::uint64_t m_block;
};

// Blocks of GGUF made of codes and scales that are stored apart.
class Repacked final : public TensorValues {
public:
    Repacked(const Model& model, const SourcePart& part, TensorType type, Bytes codes, Bytes scales)
        : TensorValues(part.shape)
        , m_model(model)
        , m_weight(part.weight)
        , m_type(tensorTypeInfo(type))
        , m_codes(codes)
        , m_scales(scales) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        const std::uint64_t begin = first - first % m_type.blockSize;
        const std::uint64_t end = (first + out.size() + m_type.blockSize - 1) / m_type.blockSize * m_type.blockSize;
        std::vector<std::byte> blocks(blocksBytes(m_type, end - begin));
        std::vector<float> decoded(end - begin);
        auto done = encoded(begin, end - begin, blocks);
        done = done ? decode(m_type.id, blocks, decoded) : done;
        if (done) {
            std::ranges::copy(std::span(decoded).subspan(first - begin, out.size()), out.begin());
        }
        return done;
    }

    std::optional<std::uint32_t> encodedType() const override { return m_type.id; }

    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        const bool large = m_type.id == static_cast<std::uint32_t>(TensorType::NVFP4);
        for (std::uint64_t done = 0; done < count; done += m_type.blockSize) {
            const std::uint64_t weight = first + done;
            std::byte* block = out.data() + blocksBytes(m_type, done);
            const std::byte* pairs = m_codes.data() + weight / 2;
            if (large) {
                std::copy_n(m_scales.data() + weight / 16, 4, block);
                for (std::size_t part = 0; part < 4; ++part) {
                    splitPairs(pairs + 8 * part, 8, block + 4 + 8 * part);
                }
            } else {
                block[0] = m_scales[weight / 32];
                splitPairs(pairs, 16, block + 1);
            }
        }
        return {};
    }

    void release() const override {
        const TensorInfo& tensor = m_model.tensor(m_weight);
        m_model.sourceOf(tensor)->advise({tensor.offset, tensor.bytes.value_or(0)}, Access::Release);
    }

private:
    // From pairs of neighbours to pairs (i, i + bytes), the lower half of a byte first.
    static void splitPairs(const std::byte* pairs, std::size_t bytes, std::byte* out) {
        const auto code = [&](std::size_t i) { return i % 2 == 0 ? pairs[i / 2] & std::byte{15} : pairs[i / 2] >> 4U; };
        for (std::size_t i = 0; i < bytes; ++i) {
            out[i] = code(i) | code(i + bytes) << 4U;
        }
    }

    const Model& m_model;
    TensorIndex m_weight;
    const TensorTypeInfo& m_type;
    Bytes m_codes;
    Bytes m_scales;
};

// Reads what belongs to a matrix, and checks the sizes, so that no value can lie outside.
class Builder {
public:
    Builder(const Model& model, const SourcePart& part, const Operation& operation)
        : m_model(model)
        , m_part(part)
        , m_operation(operation) {}

    Result<ValuesPtr> build() {
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

    // A companion's numbers, of which there must be at least `needed`.
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
        const TensorTypeInfo& info = tensorTypeInfo(type);
        if (codes->size() != weights / 2 || m_part.shape[0] % info.blockSize != 0) {
            return unfit(m_part.weight);
        }
        if (scales->size() != weights / scaleWeights) {
            return unfit(*m_part.companions[0]);
        }
        return std::make_unique<Repacked>(m_model, m_part, type, *codes, *scales);
    }

    Result<ValuesPtr> blocks(std::uint64_t columns, std::uint64_t rows, float factor) const {
        if (columns == 0 || rows == 0) {
            return unfit(m_part.weight);
        }
        auto scales = numbers(0, BlockScaled::scalesNeeded(m_part.shape, columns, rows));
        auto codes = storedValues(m_model, m_part.weight);
        if (!scales || !codes) {
            return std::unexpected(scales ? codes.error() : scales.error());
        }
        return std::make_unique<BlockScaled>(m_part, *std::move(codes), *std::move(scales), columns, rows, factor);
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
        const auto codes = codesOf(m_model, m_part.weight);
        if (!codes) {
            return std::unexpected(codes.error());
        }
        const bool awq = kind == Kind::DequantiseAwq;
        if (tensors.groupSize == 0 || m_part.shape.count() != 2 ||
            codes->size() / 4 != columns * rows * tensors.bits / kWordBits || (awq && tensors.bits != 4)) {
            return unfit(m_part.weight);
        }
        tensors.codes = PackedIntegers(*codes, tensors.bits);
        const std::uint64_t groups = (columns + tensors.groupSize - 1) / tensors.groupSize;
        const bool affine = kind == Kind::DequantiseAffine;
        const bool packed = kind == Kind::DequantisePacked;
        auto scales = numbers(affine || packed ? 0 : 1, groups * rows);
        if (!scales) {
            return std::unexpected(scales.error());
        }
        tensors.scales = *std::move(scales);
        if (affine) {
            auto biases = numbers(1, groups * rows);
            if (!biases) {
                return std::unexpected(biases.error());
            }
            tensors.biases = *std::move(biases);
        } else if (const std::size_t zeros = packed ? 1 : 0; has(zeros)) {
            const auto words = codesOf(m_model, *m_part.companions[zeros]);
            if (!words) {
                return std::unexpected(words.error());
            }
            tensors.zeros = PackedIntegers(*words, tensors.bits);
            if (tensors.zeros.words() < groups * rows / tensors.codes.perWord() ||
                rows % tensors.codes.perWord() != 0) {
                return unfit(*m_part.companions[zeros]);
            }
        }
        if (has(2)) {
            auto order = numbers(2, columns);
            if (!order) {
                return std::unexpected(order.error());
            }
            if (!std::ranges::all_of(*order, [&](float g) { return g >= 0 && g < static_cast<float>(groups); })) {
                return unfit(*m_part.companions[2]);
            }
            tensors.groupOfColumn = *std::move(order);
        }
        return std::make_unique<Grouped>(m_model, m_part, kind, std::move(tensors));
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
        return std::make_unique<Tabulated>(m_part.shape, *codes, *std::move(levels), *std::move(scales), block);
    }

    // What was subtracted from the scales before they were quantised.
    [[nodiscard]] Result<float> nestedOffset() const {
        const auto bytes = codesOf(m_model, has(4) ? *m_part.companions[4] : *m_part.companions[5]);
        if (!bytes) {
            return std::unexpected(bytes.error());
        }
        const auto json = readJson({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
        if (!json) {
            return std::unexpected(json.error());
        }
        const JsonValue* offset = json->find("nested_offset");
        return offset != nullptr ? static_cast<float>(offset->real().value_or(0)) : 0.0F;
    }

    const Model& m_model;
    const SourcePart& m_part;
    const Operation& m_operation;
};

} // namespace

Result<ValuesPtr> recodedValues(const Model& model, const SourcePart& part, const Operation& operation) {
    return Builder(model, part, operation).build();
}

} // namespace gufo::convert
