// The fields of tensor data: row headers, the numbers and the packed bits of blocks, and single weights.
#include "base/checked.h"
#include "bytes/block_bits.h"
#include "bytes/map_section.h"
#include "tensor/block_fields.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// The value of a number in a block. Numbers of two bytes are half-precision floats, numbers of four are
// single-precision ones.
std::optional<double> numberIn(Bytes bytes, std::uint32_t size, ByteOrder order) {
    const auto type = size == 2 ? TensorType::F16 : TensorType::F32;
    std::array<float, 1> value{};
    return decode(static_cast<std::uint32_t>(type), bytes, value, order) ? std::optional<double>(value[0])
                                                                         : std::nullopt;
}

// The name of a field that holds half- or single-precision floats, as the layouts of ggml call them.
bool isFloat(const BlockField& field) {
    const bool isScale = field.name.starts_with("d") || field.name == "m" || field.name == "s";
    return isScale && field.bytes == field.fieldSize && (field.fieldSize == 2 || field.fieldSize == 4);
}

class TensorFields {
public:
    TensorFields(Bytes bytes, const MapContext& context, const MapSection& section, FieldSink& sink)
        : m_bytes(bytes)
        , m_order(context.layout.order)
        , m_section(section)
        , m_type(*findTensorType(section.typeId))
        , m_sink(sink) {}

    // Adds what overlaps the window, row by row and block by block.
    void add() {
        const std::uint64_t columns = std::max<std::uint64_t>(m_section.shape[0], 1);
        const std::uint64_t blocks = columns / m_type.blockSize;
        const std::uint64_t rowBytes = blocks * m_type.blockBytes + m_type.rowHeaderBytes;
        const std::uint64_t length = m_section.range.length;
        const std::uint64_t wanted = m_sink.window().offset - std::min(m_sink.window().offset, m_section.range.offset);
        for (std::uint64_t row = wanted / rowBytes; row * rowBytes < length && !m_sink.full(); ++row) {
            const std::uint64_t start = row * rowBytes;
            if (m_section.range.offset + start >= m_sink.window().offset + m_sink.window().length) {
                return;
            }
            if (m_type.rowHeaderBytes != 0) {
                addRowHeader(row, start);
            }
            const std::uint64_t first = start + m_type.rowHeaderBytes;
            const std::uint64_t before = wanted > first ? (wanted - first) / m_type.blockBytes : 0;
            for (std::uint64_t block = before; block < blocks; ++block) {
                const ByteRange range{first + block * m_type.blockBytes, m_type.blockBytes};
                if (range.offset >= length || isBehind(range.offset) || m_sink.full()) {
                    break;
                }
                addBlock(row * columns + block * m_type.blockSize, range);
            }
        }
    }

private:
    [[nodiscard]] bool isBehind(std::uint64_t offset) const {
        return m_section.range.offset + offset >= m_sink.window().offset + m_sink.window().length;
    }
    // The bytes of a range of the tensor, as far as they are there.
    [[nodiscard]] Bytes at(ByteRange range) const {
        const std::uint64_t from = std::min(range.offset, m_section.range.length);
        const std::uint64_t to = std::min(range.offset + range.length, m_section.range.length);
        return m_bytes.subspan(from, to - from);
    }
    [[nodiscard]] std::string part(std::string_view field) const { return m_section.of + '/' + std::string(field); }
    [[nodiscard]] ByteRange inFile(std::uint64_t offset, std::uint64_t length) const {
        return {m_section.range.offset + offset, std::min(length, m_section.range.length - offset)};
    }

    void addRowHeader(std::uint64_t row, std::uint64_t start) {
        for (const BlockField& field : rowHeaderFields(m_type.id)) {
            const ByteRange range{start + field.offset, field.bytes};
            if (range.offset < m_section.range.length) {
                addNumber(FieldRole::RowHeader, field, range, row);
            }
        }
    }

    void addNumber(FieldRole role, const BlockField& field, ByteRange range, std::uint64_t element) {
        ByteField result{
            .range = inFile(range.offset, range.length), .role = role, .of = part(field.name), .element = element};
        const Bytes bytes = at(range);
        if (isFloat(field) && bytes.size() == range.length) {
            result.type = field.fieldSize == 2 ? "f16" : "f32";
            if (const auto value = numberIn(bytes, field.fieldSize, m_order)) {
                result.value = *value;
            }
        }
        m_sink.add(std::move(result));
    }

    void addBlock(std::uint64_t weight, ByteRange range) {
        const auto fields = blockFields(m_type.id);
        if (fields.empty()) {
            return addWeights(weight, range);
        }
        const auto bits = blockBits(m_type.id);
        for (const BlockField& field : fields) {
            if (range.offset + field.offset >= m_section.range.length || m_sink.full()) {
                return;
            }
            if (isFloat(field)) {
                addNumber(FieldRole::BlockNumber, field, {range.offset + field.offset, field.bytes}, weight);
                continue;
            }
            for (std::uint32_t byte = field.offset; byte < field.offset + field.bytes; ++byte) {
                addPackedByte(field, byte, weight, range, bits);
            }
        }
    }

    // In a big-endian file, the bytes of each number are reversed, and with them the bits.
    void addPackedByte(const BlockField& field, std::uint32_t byte, std::uint64_t weight, ByteRange range,
                       std::span<const std::vector<BitShare>> bits) {
        const std::uint64_t offset = range.offset + byte;
        if (offset >= m_section.range.length || !m_sink.wants(inFile(offset, 1))) {
            return;
        }
        const std::uint32_t within = (byte - field.offset) % field.fieldSize;
        const std::uint32_t stored = m_order == ByteOrder::Little ? byte : byte - within + field.fieldSize - 1 - within;
        ByteField result{.range = inFile(offset, 1),
                         .role = FieldRole::BlockBits,
                         .of = part(field.name),
                         .element = weight,
                         .type = m_section.type};
        result.value = std::uint64_t{std::to_integer<std::uint8_t>(m_bytes[offset])};
        if (stored < bits.size()) {
            result.bits = bits[stored];
        }
        m_sink.add(std::move(result));
    }

    void addWeights(std::uint64_t weight, ByteRange range) {
        ByteField result{.range = inFile(range.offset, range.length),
                         .role = FieldRole::Weight,
                         .of = m_section.of,
                         .element = weight,
                         .type = m_section.type};
        const Bytes bytes = at(range);
        std::array<double, 1> value{};
        if (m_type.blockSize == 1 && bytes.size() == range.length && decode64(m_type.id, bytes, value, m_order)) {
            result.value = value[0];
        }
        m_sink.add(std::move(result));
    }

    Bytes m_bytes; // of the tensor, as far as they are there
    ByteOrder m_order;
    const MapSection& m_section;
    const TensorTypeFact& m_type;
    FieldSink& m_sink;
};

Result<> expandTensor(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    TensorFields(bytes, context, section, sink).add();
    return {};
}

} // namespace

MapSection tensorSection(std::string name, std::uint32_t typeId, std::string typeName, const Shape& shape,
                         ByteRange range) {
    MapSection section{.range = range,
                       .role = FieldRole::TensorData,
                       .of = std::move(name),
                       .typeId = typeId,
                       .shape = shape,
                       .type = std::move(typeName)};
    const TensorTypeFact* type = findTensorType(typeId);
    const std::uint64_t columns = std::max<std::uint64_t>(shape[0], 1);
    const auto rowBytes = type != nullptr && type->blockSize != 0
                              ? checkedMultiply(columns / type->blockSize, type->blockBytes)
                              : std::nullopt;
    // Data whose rows are not whole blocks are shown as one field.
    if (rowBytes && *rowBytes != 0 && columns % type->blockSize == 0 && isDecodable(typeId)) {
        section.expand = expandTensor;
    }
    return section;
}

void addTensorData(const MapInput& input, Sections& sections) {
    if (input.model == nullptr) {
        return;
    }
    for (const TensorInfo& tensor : input.model->tensors) {
        if (tensor.file != input.index) {
            continue;
        }
        const std::string name(tensor.name);
        if (tensor.bytes && tensor.bytesPresent < *tensor.bytes) {
            sections.cut.push_back({name, *tensor.bytes - tensor.bytesPresent});
        }
        if (tensor.bytesPresent == 0) {
            continue;
        }
        if (tensor.strides != nullptr) { // a weight's place in the bytes does not follow from its number
            const std::uint64_t bytes = tensor.type() != nullptr ? tensor.type()->blockBytes : 1;
            const std::uint64_t all = checkedMultiply(tensor.strides->extent, bytes).value_or(input.bytes.size());
            sections.list.push_back(
                {.range = {tensor.offset, all}, .role = FieldRole::TensorData, .of = name, .type = tensor.typeName()});
        } else {
            sections.list.push_back(tensorSection(name, tensor.typeId, tensor.typeName(), tensor.shape,
                                                  {tensor.offset, tensor.bytesPresent}));
        }
    }
}

} // namespace gufo
