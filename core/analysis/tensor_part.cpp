#include "analysis/tensor_part.h"

#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

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
    const TensorTypeFact* type = tensor.type();
    const auto layout = type != nullptr && tensorBytes(*type, tensor.shape) == tensor.bytes
                            ? RowLayout::of(*type, tensor.shape[0])
                            : std::nullopt;
    if (layout && part.firstWeight % type->blockSize == 0 && part.weights() % type->blockSize == 0) {
        return layout->offset(part.firstWeight + part.weights()) - layout->offset(part.firstWeight);
    }
    return static_cast<std::uint64_t>(static_cast<double>(*tensor.bytes) * static_cast<double>(part.weights()) /
                                      static_cast<double>(whole));
}

Result<PartReader> PartReader::open(const Model& model, const TensorPart& part) {
    const TensorInfo& tensor = model.tensor(part.tensor);
    const auto* computed = dynamic_cast<const ComputedWeights*>(model.sourceOf(tensor));
    if (computed != nullptr) {
        GUFO_TRY(computed->check(tensor.offset));
    }
    const auto rows = GUFO_TRY(
        computed == nullptr ? model.rowsOf(tensor)
                            : StoredRows::of(static_cast<std::uint32_t>(TensorType::F32), part.columns, Bytes()));
    PartReader reader(rows);
    reader.m_part = part;
    reader.m_source = model.sourceOf(tensor);
    reader.m_computed = computed;
    reader.m_offset = tensor.offset;
    if (computed != nullptr) {
        reader.m_present = part.weights();
        return reader;
    }
    reader.m_needsDouble = gufo::needsDouble(tensor.typeId);
    const std::uint64_t held = std::min(rows.weights(), tensor.weights());
    reader.m_present = held > part.firstWeight ? std::min(held - part.firstWeight, part.weights()) : 0;
    return reader;
}

void PartReader::read(std::uint64_t first, std::span<float> out) const {
    if (m_computed != nullptr) {
        if (!m_computed->weights(m_offset, m_part.firstWeight + first, out)) {
            std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
        }
        return;
    }
    static_cast<void>(decode(m_rows, m_part.firstWeight + first, out));
}

void PartReader::read(std::uint64_t first, std::span<double> out) const {
    if (m_computed != nullptr) {
        std::vector<float> weights(out.size());
        read(first, std::span(weights));
        std::ranges::copy(weights, out.begin());
        return;
    }
    static_cast<void>(decode64(m_rows, m_part.firstWeight + first, out));
}

std::span<const float> PartReader::values(std::uint64_t first, std::span<float> space) const {
    const Bytes bytes = typeId() == static_cast<std::uint32_t>(TensorType::F32) ? stored(first, space.size()) : Bytes();
    const bool native = (m_rows.order == ByteOrder::Little) == (std::endian::native == std::endian::little);
    if (native && !bytes.empty() && bytes.size() == space.size_bytes() &&
        std::bit_cast<std::uintptr_t>(bytes.data()) % alignof(float) == 0) {
        return {reinterpret_cast<const float*>(bytes.data()), space.size()};
    }
    read(first, space);
    return space;
}

std::span<const double> PartReader::values(std::uint64_t first, std::span<double> space) const {
    read(first, space);
    return space;
}

Bytes PartReader::stored(std::uint64_t first, std::uint64_t count) const {
    if (m_computed != nullptr || m_rows.layout.strides() != nullptr || first >= m_present) {
        return {};
    }
    const ByteRange range = m_rows.layout.range(m_part.firstWeight + first, std::min(count, m_present - first));
    return m_rows.bytes.subspan(range.offset, range.length);
}

bool PartReader::bytesEqual(const PartReader& other, std::uint64_t first, std::uint64_t count) const {
    if (m_rows.layout.strides() != nullptr || other.m_rows.layout.strides() != nullptr) {
        return m_computed == nullptr && other.m_computed == nullptr && viewsEqual(other, first, count);
    }
    // In rows of another length the same bytes would be other headers.
    if (m_rows.type().rowHeaderBytes != 0 && m_rows.layout.columns() != other.m_rows.layout.columns()) {
        return false;
    }
    const auto mine = encoded(first, count);
    const auto others = other.encoded(first, count);
    const auto equal = [](Bytes a, Bytes b) {
        return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
    };
    return mine && others && equal(mine->bytes, others->bytes) && equal(mine->header, others->header);
}

// Puts the weights of views in order, a piece at a time.
bool PartReader::viewsEqual(const PartReader& other, std::uint64_t first, std::uint64_t count) const {
    constexpr std::size_t kBytes = 4096;
    std::array<std::byte, kBytes> mine;
    std::array<std::byte, kBytes> others;
    const std::size_t size = m_rows.type().blockBytes; // of one weight: copyStored() accepts only types without blocks
    for (std::uint64_t done = 0; done < count;) {
        const auto n = std::min<std::uint64_t>(kBytes / size, count - done);
        const std::size_t bytes = n * size;
        if (!copyStored(m_rows, m_part.firstWeight + first + done, n, std::span(mine).first(bytes)) ||
            !copyStored(other.m_rows, other.m_part.firstWeight + first + done, n, std::span(others).first(bytes)) ||
            std::memcmp(mine.data(), others.data(), bytes) != 0) {
            return false;
        }
        done += n;
    }
    return true;
}

std::optional<StoredBlock> PartReader::encoded(std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t begin = m_part.firstWeight + first;
    const TensorTypeFact& type = m_rows.type();
    if (count == 0) {
        return StoredBlock(Bytes());
    }
    if (m_rows.layout.strides() != nullptr || m_computed != nullptr) {
        return std::nullopt;
    }
    if (begin % type.blockSize != 0 || count % type.blockSize != 0) {
        return std::nullopt;
    }
    const std::uint64_t from = m_rows.layout.offset(begin);
    return StoredBlock(m_rows.bytes.subspan(from, m_rows.layout.offset(begin + count) - from),
                       m_rows.block(begin).header);
}

ByteRange PartReader::range(std::uint64_t first, std::uint64_t count) const {
    if (m_computed != nullptr) {
        return {m_offset, 0};
    }
    const std::uint64_t size = m_rows.type().blockSize;
    const std::uint64_t begin = (m_part.firstWeight + first) / size * size;
    const std::uint64_t end = (m_part.firstWeight + first + count + size - 1) / size * size;
    const ByteRange range = m_rows.layout.range(begin, end - begin);
    return {m_offset + range.offset, range.length};
}

} // namespace gufo
