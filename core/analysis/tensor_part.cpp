#include "analysis/tensor_part.h"

#include "tensor/decode.h"

#include <algorithm>
#include <array>

namespace gufo {

TensorPart wholeTensor(const Model& model, TensorIndex tensor) {
    const Shape& shape = model.tensor(tensor).shape;
    const auto rows = shape.rows();
    return {.tensor = tensor, .firstWeight = 0, .columns = rows ? shape[0] : 0, .rows = rows.value_or(0)};
}

std::optional<std::uint64_t> partBytes(const Model& model, const TensorPart& part) {
    const TensorInfo& tensor = model.tensor(part.tensor);
    const std::uint64_t whole = tensor.weights();
    if (!tensor.bytes || part.weights() == whole) {
        return tensor.bytes;
    }
    const TensorTypeInfo* type = tensor.type();
    if (type != nullptr && part.firstWeight % type->blockSize == 0 && part.weights() % type->blockSize == 0) {
        return part.weights() / type->blockSize * type->blockBytes;
    }
    return static_cast<std::uint64_t>(static_cast<double>(*tensor.bytes) * static_cast<double>(part.weights()) /
                                      static_cast<double>(whole));
}

Result<PartReader> PartReader::open(const Model& model, const TensorPart& part) {
    const TensorInfo& tensor = model.tensor(part.tensor);
    if (!isDecodable(tensor.typeId)) {
        return fail(ErrorCode::NotDecodable, Place::tensor(std::string(tensor.name)), {tensor.typeName()});
    }
    const auto bytes = model.bytesOf(tensor);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    PartReader reader;
    reader.m_part = part;
    reader.m_type = tensor.type();
    reader.m_source = model.sourceOf(tensor);
    reader.m_bytes = *bytes;
    reader.m_offset = tensor.offset;
    reader.m_order = model.byteOrder;
    reader.m_needsDouble = gufo::needsDouble(tensor.typeId);
    const std::uint64_t held =
        std::min<std::uint64_t>(bytes->size() / reader.m_type->blockBytes * reader.m_type->blockSize, tensor.weights());
    reader.m_present = held > part.firstWeight ? std::min(held - part.firstWeight, part.weights()) : 0;
    return reader;
}

void PartReader::read(std::uint64_t first, std::span<float> out) const {
    static_cast<void>(decodeRange(m_type->id, m_bytes, m_part.firstWeight + first, out, m_order));
}

void PartReader::read(std::uint64_t first, std::span<double> out) const {
    if (m_needsDouble) { // types without blocks
        const std::uint64_t at = (m_part.firstWeight + first) * m_type->blockBytes;
        static_cast<void>(decode64(m_type->id, m_bytes.subspan(at, out.size() * m_type->blockBytes), out, m_order));
        return;
    }
    std::array<float, 1024> values;
    while (!out.empty()) {
        const auto piece = std::span(values).first(std::min(out.size(), values.size()));
        read(first, piece);
        std::ranges::copy(piece, out.begin());
        out = out.subspan(piece.size());
        first += piece.size();
    }
}

std::optional<Bytes> PartReader::blocks(std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t begin = m_part.firstWeight + first;
    if (count == 0) {
        return Bytes();
    }
    if (begin % m_type->blockSize != 0 || count % m_type->blockSize != 0) {
        return std::nullopt;
    }
    return m_bytes.subspan(begin / m_type->blockSize * m_type->blockBytes,
                           count / m_type->blockSize * m_type->blockBytes);
}

ByteRange PartReader::range(std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t begin = (m_part.firstWeight + first) / m_type->blockSize;
    const std::uint64_t end = (m_part.firstWeight + first + count + m_type->blockSize - 1) / m_type->blockSize;
    return {m_offset + begin * m_type->blockBytes, (end - begin) * m_type->blockBytes};
}

} // namespace gufo
