#include "tensor/decode.h"

#include "base/checked.h"
#include "base/detail.h"
#include "tensor/block_layout.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace gufo {
namespace {

std::unexpected<Error> notDecodable(std::uint32_t typeId) {
    const TensorTypeFact* info = findTensorType(typeId);
    return fail(ErrorCode::NotDecodable, {}, {info != nullptr ? std::string(info->name) : std::to_string(typeId)});
}

std::unexpected<Error> sizesDisagree() { return fail(ErrorCode::InvalidArgument, {}, {Detail::BlockSizeWrong}); }

// The row of a decodable type, or null.
const TensorTypeFact* decodableType(std::uint32_t typeId) {
    return isDecodable(typeId) ? findTensorType(typeId) : nullptr;
}

void swapBlocks(const TensorTypeFact& type, const std::byte* in, std::size_t bytes, std::byte* out) {
    const BlockLayout* layout = findBlockLayout(type.id);
    for (std::size_t block = 0; block < bytes; block += type.blockBytes) {
        if (layout != nullptr) {
            swapFields(layout->fields, in + block, out + block);
        } else {
            std::reverse_copy(in + block, in + block + type.blockBytes, out + block);
        }
    }
}

// Calls use(little-endian bytes, number of blocks). Big-endian input is swapped in pieces of a few kilobytes.
template<typename Use>
void forEachLittleEndianPiece(const TensorTypeFact& type, Bytes blocks, ByteOrder order, Use use) {
    if (blocks.empty()) {
        return;
    }
    if (order == ByteOrder::Little) {
        use(blocks.data(), blocks.size() / type.blockBytes);
        return;
    }
    std::array<std::byte, 4096> swapped;
    const std::size_t piece = swapped.size() - swapped.size() % type.blockBytes;
    for (std::size_t at = 0; at < blocks.size(); at += piece) {
        const std::size_t bytes = std::min(piece, blocks.size() - at);
        swapBlocks(type, blocks.data() + at, bytes, swapped.data());
        use(swapped.data(), bytes / type.blockBytes);
    }
}

// Decodes whole blocks. If the type has a row header, they belong to one row, and `header` is its header.
void decodeBlocks(const Kernels& kernels, const TensorTypeFact& type, const std::byte* header, Bytes blocks,
                  ByteOrder order, float* out) {
    if (type.rowHeaderBytes == 0) {
        const auto decodeThem = kernels.decode[type.id];
        forEachLittleEndianPiece(type, blocks, order, [&](const std::byte* from, std::size_t count) {
            decodeThem(from, count, out);
            out += count * type.blockSize;
        });
        return;
    }
    std::array<std::byte, kMaxRowHeader> swapped;
    if (order == ByteOrder::Big) {
        swapFields(findBlockLayout(type.id)->headerFields, header, swapped.data());
        header = swapped.data();
    }
    const auto decodeThem = kernels.decodeInRow[type.id];
    forEachLittleEndianPiece(type, blocks, order, [&](const std::byte* from, std::size_t count) {
        decodeThem(header, from, count, out);
        out += count * type.blockSize;
    });
}

// Copies stored weights that are not in order, along the dimensions from the fastest up.
void gather(const StoredRows& rows, const Strides& strides, std::uint64_t first, std::uint64_t count, std::byte* out) {
    const std::size_t size = rows.type().blockBytes;
    std::array<std::uint64_t, std::tuple_size_v<decltype(Strides::dims)>> at{};
    for (std::size_t i = 0; i < strides.count; ++i) {
        at[i] = first % strides.dims[i];
        first /= strides.dims[i];
    }
    while (count != 0) {
        std::uint64_t position = 0;
        for (std::size_t i = 0; i < strides.count; ++i) {
            position += at[i] * strides.strides[i];
        }
        const std::uint64_t run = strides.count == 0 ? 1 : std::min(count, strides.dims[0] - at[0]);
        const std::size_t step = strides.strides[0] * size;
        const std::byte* from = rows.bytes.data() + position * size;
        for (std::uint64_t i = 0; i < run; ++i, out += size) {
            std::memcpy(out, from + i * step, size);
        }
        count -= run;
        at[0] += run;
        for (std::size_t i = 0; i + 1 < strides.count && at[i] == strides.dims[i]; ++i) {
            at[i] = 0;
            ++at[i + 1];
        }
    }
}

// Calls use(rows in order, first weight in them, number of weights) for pieces of a run.
template<typename Use>
void forEachPieceInOrder(const StoredRows& rows, std::uint64_t first, std::uint64_t count, Use use) {
    const Strides* strides = rows.layout.strides();
    if (strides == nullptr) {
        use(rows, first, count);
        return;
    }
    std::array<std::byte, 4096> stored;
    const std::uint64_t maximum = stored.size() / rows.type().blockBytes;
    while (count != 0) {
        const std::uint64_t piece = std::min(count, maximum);
        gather(rows, *strides, first, piece, stored.data());
        const Bytes bytes = Bytes(stored).first(piece * rows.type().blockBytes);
        use(StoredRows{.layout = *RowLayout::of(rows.type(), piece), .bytes = bytes, .order = rows.order}, 0, piece);
        first += piece;
        count -= piece;
    }
}

// Decodes a run of weights whose blocks are all present and stored in order.
void decodeRun(const Kernels& kernels, const StoredRows& rows, std::uint64_t first, std::span<float> out) {
    const TensorTypeFact& type = rows.type();
    std::array<float, kMaxBlockSize> block;
    while (!out.empty()) {
        const std::byte* header = rows.bytes.data() + rows.layout.headerOffset(first);
        const Bytes rest = rows.bytes.subspan(rows.layout.blockOffset(first));
        const std::uint64_t together = std::min<std::uint64_t>(rows.layout.weightsTogether(first), out.size());
        const std::uint64_t skip = first % type.blockSize;
        std::size_t taken = 0;
        if (skip == 0 && together >= type.blockSize) {
            taken = together - together % type.blockSize;
            decodeBlocks(kernels, type, header, rest.first(blocksBytes(type, taken)), rows.order, out.data());
        } else {
            taken = std::min(together, type.blockSize - skip);
            decodeBlocks(kernels, type, header, rest.first(type.blockBytes), rows.order, block.data());
            std::copy_n(block.data() + skip, taken, out.data());
        }
        first += taken;
        out = out.subspan(taken);
    }
}

Result<> checkRun(const StoredRows& rows, std::uint64_t first, std::uint64_t count) {
    const std::uint64_t weights = rows.weights();
    if (!fits({first, count}, weights)) {
        return fail(ErrorCode::RangeOutsideFile, {}, {first, count, weights});
    }
    return {};
}

// Checks that `row` is one row of exactly that many weights.
Result<StoredRows> oneRow(std::uint32_t typeId, Bytes row, std::uint64_t weights, ByteOrder order) {
    auto rows = StoredRows::of(typeId, weights, row, order);
    if (rows && rows->layout.rowBytes() != row.size()) {
        return sizesDisagree();
    }
    return rows;
}

template<typename Stored>
void widen(const StoredRows& rows, std::uint64_t first, std::span<double> out) {
    const std::byte* from = rows.bytes.data() + rows.layout.offset(first);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = static_cast<double>(load<Stored>(from + i * sizeof(Stored), rows.order));
    }
}

void decodeRun64(const StoredRows& rows, std::uint64_t first, std::span<double> out) {
    switch (static_cast<TensorType>(rows.type().id)) {
    case TensorType::F64:
        return widen<double>(rows, first, out);
    case TensorType::I32:
        return widen<std::int32_t>(rows, first, out);
    case TensorType::I64:
        return widen<std::int64_t>(rows, first, out);
    case TensorType::U32:
        return widen<std::uint32_t>(rows, first, out);
    case TensorType::U64:
        return widen<std::uint64_t>(rows, first, out);
    default:
        break;
    }
    std::array<float, 4 * kMaxBlockSize> values;
    while (!out.empty()) {
        const auto piece = std::span(values).first(std::min(out.size(), values.size()));
        decodeRun(activeKernels(), rows, first, piece);
        std::ranges::copy(piece, out.begin());
        first += piece.size();
        out = out.subspan(piece.size());
    }
}

Result<> decodeRow(const Kernels& kernels, std::uint32_t typeId, Bytes row, std::span<float> out, ByteOrder order) {
    const auto rows = GUFO_TRY(oneRow(typeId, row, out.size(), order));
    decodeRun(kernels, rows, 0, out);
    return {};
}

} // namespace

bool isDecodable(std::uint32_t typeId) {
    const Kernels& kernels = scalar::kernels();
    return kernels.decode[typeId] != nullptr || kernels.decodeInRow[typeId] != nullptr;
}

bool needsDouble(std::uint32_t typeId) {
    switch (static_cast<TensorType>(typeId)) {
    case TensorType::F64:
    case TensorType::I32:
    case TensorType::I64:
    case TensorType::U32:
    case TensorType::U64:
        return true;
    default:
        return false;
    }
}

Result<StoredRows> StoredRows::of(std::uint32_t typeId, std::uint64_t columns, Bytes bytes, ByteOrder order) {
    const TensorTypeFact* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    const auto layout = RowLayout::of(*type, columns);
    return layout ? Result<StoredRows>(StoredRows{.layout = *layout, .bytes = bytes, .order = order}) : sizesDisagree();
}

Result<StoredRows> StoredRows::strided(std::uint32_t typeId, const Strides& strides, Bytes bytes, ByteOrder order) {
    const TensorTypeFact* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    const auto layout = RowLayout::strided(*type, strides);
    return layout ? Result<StoredRows>(StoredRows{.layout = *layout, .bytes = bytes, .order = order}) : sizesDisagree();
}

StoredBlock StoredRows::block(std::uint64_t weight) const {
    return {bytes.subspan(layout.blockOffset(weight), type().blockBytes),
            bytes.subspan(layout.headerOffset(weight), type().rowHeaderBytes)};
}

Result<> decode(const StoredRows& rows, std::uint64_t first, std::span<float> out) {
    auto checked = checkRun(rows, first, out.size());
    if (checked) {
        float* to = out.data();
        forEachPieceInOrder(rows, first, out.size(), [&](const StoredRows& part, std::uint64_t at, std::uint64_t n) {
            decodeRun(activeKernels(), part, at, {to, n});
            to += n;
        });
    }
    return checked;
}

Result<> decode64(const StoredRows& rows, std::uint64_t first, std::span<double> out) {
    auto checked = checkRun(rows, first, out.size());
    if (checked) {
        double* to = out.data();
        forEachPieceInOrder(rows, first, out.size(), [&](const StoredRows& part, std::uint64_t at, std::uint64_t n) {
            decodeRun64(part, at, {to, n});
            to += n;
        });
    }
    return checked;
}

Result<> copyStored(const StoredRows& rows, std::uint64_t first, std::uint64_t count, std::span<std::byte> out) {
    const std::size_t size = rows.type().blockBytes;
    if (rows.type().blockSize != 1 || rows.type().rowHeaderBytes != 0 || out.size() / size != count ||
        out.size() % size != 0) {
        return sizesDisagree();
    }
    auto checked = checkRun(rows, first, count);
    if (!checked || count == 0) {
        return checked;
    }
    if (const Strides* strides = rows.layout.strides()) {
        gather(rows, *strides, first, count, out.data());
    } else {
        std::memcpy(out.data(), rows.bytes.data() + first * size, out.size()); // GCC 12 copies spans byte by byte
    }
    return {};
}

Result<> decode(std::uint32_t typeId, Bytes row, std::span<float> out, ByteOrder order) {
    return decodeRow(activeKernels(), typeId, row, out, order);
}

Result<> decode(Isa isa, std::uint32_t typeId, Bytes row, std::span<float> out, ByteOrder order) {
    return decodeRow(kernelsFor(isa), typeId, row, out, order);
}

Result<> decode64(std::uint32_t typeId, Bytes row, std::span<double> out, ByteOrder order) {
    const auto rows = GUFO_TRY(oneRow(typeId, row, out.size(), order));
    decodeRun64(rows, 0, out);
    return {};
}

Result<> swapByteOrder(const RowLayout& layout, std::uint64_t first, Bytes in, std::span<std::byte> out) {
    const TensorTypeFact& type = layout.type();
    if (!isDecodable(type.id)) {
        return notDecodable(type.id);
    }
    if (in.size() != out.size()) {
        return sizesDisagree();
    }
    const BlockLayout* blockLayout = findBlockLayout(type.id);
    std::byte* to = out.data();
    while (!in.empty()) {
        const std::size_t header = layout.blockOffset(first) - layout.offset(first);
        if (in.size() < header + type.blockBytes) {
            return sizesDisagree();
        }
        if (header != 0) {
            swapFields(blockLayout->headerFields, in.data(), to);
        }
        const std::size_t there = in.size() - header - (in.size() - header) % type.blockBytes;
        const std::uint64_t weights = std::min(there / type.blockBytes * type.blockSize, layout.weightsTogether(first));
        const std::size_t blocks = blocksBytes(type, weights);
        if (layout.weightsTogether(first) > weights && header + blocks != in.size()) {
            return sizesDisagree();
        }
        swapBlocks(type, in.data() + header, blocks, to + header);
        in = in.subspan(header + blocks);
        to += header + blocks;
        first += weights;
    }
    return {};
}

Result<> swapByteOrder(std::uint32_t typeId, Bytes row, std::span<std::byte> out) {
    const TensorTypeFact* type = decodableType(typeId);
    if (type == nullptr) {
        return notDecodable(typeId);
    }
    const std::uint64_t blocks =
        row.size() < type->rowHeaderBytes ? 0 : (row.size() - type->rowHeaderBytes) / type->blockBytes;
    const auto layout = RowLayout::of(*type, blocks * type->blockSize);
    return layout && layout->rowBytes() == row.size() ? swapByteOrder(*layout, 0, row, out) : sizesDisagree();
}

} // namespace gufo
