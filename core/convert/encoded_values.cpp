#include "convert/encoded_values.h"

#include "tensor/decode.h"
#include "tensor/row_layout.h"

#include <algorithm>
#include <array>

namespace gufo::convert {
namespace {

using Kind = OperationKind;

class BlockScaled final : public TensorValues {
public:
    BlockScaled(const Shape& shape, ValuesPtr codes, std::vector<float> scales, std::uint64_t blockColumns,
                std::uint64_t blockRows, float factor)
        : TensorValues(shape)
        , m_codes(std::move(codes))
        , m_scales(std::move(scales))
        , m_blockColumns(blockColumns)
        , m_blockRows(blockRows)
        , m_factor(factor) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        GUFO_TRY(m_codes->values(first, out));
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

private:
    ValuesPtr m_codes;
    std::vector<float> m_scales;
    std::uint64_t m_blockColumns;
    std::uint64_t m_blockRows;
    float m_factor;
};

class Grouped final : public TensorValues {
public:
    Grouped(const Model& model, const SourcePart& part, Kind kind, GroupedTensors tensors)
        : TensorValues(part.shape)
        , m_model(model)
        , m_weight(part.weight)
        , m_kind(kind)
        , m_tensors(std::move(tensors))
        , m_rows(part.shape[1])
        , m_groups((part.shape[0] + m_tensors.groupSize - 1) / m_tensors.groupSize)
        , m_wordsOfRow(m_tensors.codes.wordsFor(part.shape[0]))
        , m_wordsOfColumn(m_tensors.codes.wordsFor(part.shape[1])) {}

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        const std::uint64_t columns = shape()[0];
        for (std::uint64_t done = 0; done < out.size();) {
            const std::uint64_t at = first + done;
            const std::uint64_t row = at / columns;
            std::uint64_t column = at % columns;
            const std::uint64_t count = std::min(columns - column, out.size() - done);
            for (float& value : out.subspan(done, count)) {
                value = valueAt(row, column++);
            }
            done += count;
        }
        return {};
    }

    void release() const override {
        const TensorInfo& tensor = m_model.tensor(m_weight);
        m_model.sourceOf(tensor)->advise({tensor.offset, tensor.bytes.value_or(0)}, Access::Release);
    }

private:
    [[nodiscard]] float valueAt(std::uint64_t row, std::uint64_t column) const {
        const GroupedTensors& t = m_tensors;
        const std::uint64_t group =
            t.groupOfColumn.empty() ? column / t.groupSize : static_cast<std::uint64_t>(t.groupOfColumn[column]);
        switch (m_kind) {
        case Kind::DequantiseGptq: { // words along the columns, scales by group
            const std::uint32_t code = t.codes.at(row, column, m_rows);
            const std::uint64_t zero = t.zeros.at(group * m_wordsOfColumn, row) + t.addedToZeros;
            return t.scales[group * m_rows + row] * (static_cast<float>(code) - static_cast<float>(zero));
        }
        case Kind::DequantiseAwq: { // words along the rows, whose integers are interleaved
            static constexpr auto kPlaces = std::to_array<std::uint64_t>({0, 4, 1, 5, 2, 6, 3, 7});
            const std::uint64_t word = row / kPlaces.size();
            const std::uint64_t place = kPlaces[row % kPlaces.size()];
            const std::uint32_t code = t.codes.at(column * m_wordsOfColumn + word, place);
            const std::uint32_t zero = t.zeros.at(group * m_wordsOfColumn + word, place);
            return (static_cast<float>(code) - static_cast<float>(zero)) * t.scales[group * m_rows + row];
        }
        case Kind::DequantisePacked: {
            const std::uint32_t code = t.codes.at(row * m_wordsOfRow, column);
            const std::uint64_t zero =
                t.zeros.words() == 0 ? std::uint64_t{1} << (t.bits - 1) : t.zeros.at(group, row, m_groups);
            return (static_cast<float>(code) - static_cast<float>(zero)) * t.scales[row * m_groups + group];
        }
        default: { // affine
            const std::uint32_t code = t.codes.at(row * m_wordsOfRow, column);
            const std::uint64_t scale = row * m_groups + group;
            return static_cast<float>(code) * t.scales[scale] + t.biases[scale];
        }
        }
    }

    const Model& m_model;
    TensorIndex m_weight;
    Kind m_kind;
    GroupedTensors m_tensors;
    std::uint64_t m_rows;
    std::uint64_t m_groups;
    std::uint64_t m_wordsOfRow;
    std::uint64_t m_wordsOfColumn;
};

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

class Ternary final : public TensorValues {
public:
    Ternary(const Shape& shape, Bytes codes, float scale, bool divides)
        : TensorValues(shape)
        , m_codes(codes) {
        for (std::size_t code = 0; code < m_levels.size(); ++code) {
            const float level = static_cast<float>(code) - 1;
            m_levels[code] = divides ? level / scale : level * scale;
        }
    }

    Result<> values(std::uint64_t first, std::span<float> out) const override {
        const std::uint64_t bytes = m_codes.size();
        for (float& value : out) {
            const auto byte = std::to_integer<unsigned>(m_codes[first % bytes]);
            value = m_levels[byte >> (2 * (first / bytes)) & 3U];
            ++first;
        }
        return {};
    }

private:
    Bytes m_codes;
    std::array<float, 4> m_levels{};
};

class Repacked final : public RepackedValues {
public:
    Repacked(const Model& model, const SourcePart& part, TensorType type, Bytes codes, Bytes scales)
        : RepackedValues(model, model.tensor(part.weight), part.shape, tensorTypeFact(type))
        , m_codes(codes)
        , m_scales(scales) {}

    Result<> encoded(std::uint64_t first, std::uint64_t count, std::span<std::byte> out) const override {
        const bool large = blockType().id == static_cast<std::uint32_t>(TensorType::NVFP4);
        for (std::uint64_t done = 0; done < count; done += blockType().blockSize) {
            const std::uint64_t weight = first + done;
            std::byte* block = out.data() + blocksBytes(blockType(), done);
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

private:
    Bytes m_codes;
    Bytes m_scales;
};

} // namespace

ValuesPtr groupedValues(const Model& model, const SourcePart& part, OperationKind kind, GroupedTensors tensors) {
    return std::make_unique<Grouped>(model, part, kind, std::move(tensors));
}

ValuesPtr blockScaledValues(const Shape& shape, ValuesPtr codes, std::vector<float> scales, std::uint64_t blockColumns,
                            std::uint64_t blockRows, float factor) {
    return std::make_unique<BlockScaled>(shape, std::move(codes), std::move(scales), blockColumns, blockRows, factor);
}

std::uint64_t blockScalesNeeded(const Shape& shape, std::uint64_t blockColumns, std::uint64_t blockRows) {
    const std::uint64_t across = (shape[0] + blockColumns - 1) / blockColumns;
    const std::uint64_t down = (shape[1] + blockRows - 1) / blockRows;
    std::uint64_t matrices = 1;
    for (std::size_t i = 2; i < shape.count(); ++i) {
        matrices *= shape[i];
    }
    return across * down * matrices;
}

ValuesPtr tabulatedValues(const Shape& shape, Bytes codes, std::vector<float> levels, std::vector<float> scales,
                          std::uint64_t block) {
    return std::make_unique<Tabulated>(shape, codes, std::move(levels), std::move(scales), block);
}

ValuesPtr ternaryValues(const Shape& shape, Bytes codes, float scale, bool divides) {
    return std::make_unique<Ternary>(shape, codes, scale, divides);
}

ValuesPtr repackedValues(const Model& model, const SourcePart& part, TensorType type, Bytes codes, Bytes scales) {
    return std::make_unique<Repacked>(model, part, type, codes, scales);
}

Result<> RepackedValues::values(std::uint64_t first, std::span<float> out) const {
    const std::uint64_t size = m_type.blockSize;
    const std::uint64_t begin = first - first % size;
    const std::uint64_t end = (first + out.size() + size - 1) / size * size;
    std::vector<std::byte> blocks(blocksBytes(m_type, end - begin));
    std::vector<float> decoded(end - begin);
    GUFO_TRY(encoded(begin, end - begin, blocks));
    GUFO_TRY(decode(m_type.id, blocks, decoded));
    std::ranges::copy(std::span(decoded).subspan(first - begin, out.size()), out.begin());
    return {};
}

void RepackedValues::release() const {
    m_model.sourceOf(m_source)->advise({m_source.offset, m_source.bytes.value_or(0)}, Access::Release);
}

void splitPairs(const std::byte* pairs, std::size_t bytes, std::byte* out) {
    const auto code = [&](std::size_t i) { return i % 2 == 0 ? pairs[i / 2] & std::byte{15} : pairs[i / 2] >> 4U; };
    for (std::size_t i = 0; i < bytes; ++i) {
        out[i] = code(i) | code(i + bytes) << 4U;
    }
}

} // namespace gufo::convert
