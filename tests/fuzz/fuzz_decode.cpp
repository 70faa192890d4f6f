// Decodes arbitrary bytes of arbitrary length as every type, in both byte orders, with every kernel of this machine.
//
// Input: byte 0 selects the type (an index into tensorTypes(), or an unknown number); of byte 1, bit 0 selects the byte
// order and bits 1-3 a misalignment; bytes 2 and 3 are the start of a run of weights; the rest are encoded blocks.
#include "base/byte_order.h"
#include "require.h"
#include "tensor/block_fields.h"
#include "tensor/decode.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

using namespace gufo;

namespace {

bool same(float a, float b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

// Checks the whole blocks of rows.
void checkRows(const StoredRows& rows) {
    const TensorTypeFact& type = rows.type();
    std::vector<float> values(rows.weights());
    require(decode(rows, 0, values).has_value());
    for (const Isa isa : availableIsas()) {
        const std::uint64_t columns = rows.layout.columns();
        std::vector<float> other(columns);
        for (std::uint64_t first = 0; first + columns <= values.size() && columns != 0; first += columns) {
            const Bytes row = rows.bytes.subspan(rows.layout.offset(first), rows.layout.rowBytes());
            require(decode(isa, type.id, row, other, rows.order).has_value());
            require(std::ranges::equal(std::span(values).subspan(first, columns), other, same));
        }
    }
    std::vector<double> wide(values.size());
    require(decode64(rows, 0, wide).has_value());
    const auto widened = [](float a, double b) {
        // I64 is rounded once when converted to float, and twice when converted via double.
        return same(a, static_cast<float>(b)) || std::abs(static_cast<double>(a) - b) <= 0x1p-23 * std::abs(b);
    };
    require(std::ranges::equal(values, wide, widened));

    const Bytes blocks = rows.bytes.first(rows.layout.offset(values.size()));
    std::vector<std::byte> swapped(blocks.size());
    std::vector<std::byte> again(blocks.size());
    require(swapByteOrder(rows.layout, 0, blocks, swapped).has_value());
    require(swapByteOrder(rows.layout, 0, swapped, again).has_value());
    require(std::ranges::equal(blocks, again));
    const StoredRows turned{.layout = rows.layout,
                            .bytes = swapped,
                            .order = rows.order == ByteOrder::Little ? ByteOrder::Big : ByteOrder::Little};
    std::vector<float> fromSwapped(values.size());
    require(decode(turned, 0, fromSwapped).has_value());
    require(std::ranges::equal(values, fromSwapped, same));

    const std::size_t count = values.size() / type.blockSize;
    for (std::size_t b = 0; b < std::min<std::size_t>(count, 4) && type.kind == TensorTypeKind::Quantised; ++b) {
        const StoredBlock block = rows.block(b * type.blockSize);
        std::vector<std::uint16_t> codes;
        std::vector<float> scales;
        std::vector<float> minima;
        require(blockCodes(type.id, block, codes, rows.order).has_value() && codes.size() == type.blockSize);
        require(blockScales(type.id, block, scales, &minima, rows.order).has_value());
        require(scales.size() == type.blockSize / subBlockSize(type.id));
        require(minima.empty() || minima.size() == scales.size());
        // Each explanation decodes the whole block, so only some weights are explained, different ones in each block.
        for (std::uint32_t i = static_cast<std::uint32_t>(b * 7 % 31); i < type.blockSize; i += 31) {
            const auto weight = explainWeight(type.id, block, i, rows.order);
            require(weight && same(weight->value, values[b * type.blockSize + i]) && weight->code == codes[i]);
            require(codes[i] < codeCount(type.id) && same(weight->scale, scales[weight->subBlock]));
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 4) {
        return 0;
    }
    const auto types = tensorTypes();
    const std::uint32_t typeId = data[0] < types.size() ? types[data[0]].id : 0xFFFF'0000U + data[0];
    const ByteOrder order = (data[1] & 1U) != 0 ? ByteOrder::Big : ByteOrder::Little;
    const std::size_t misalignment = data[1] >> 1U & 7U;
    const std::uint64_t blocksInRow = 1U + (data[1] >> 4U);
    const std::size_t first = data[2] | static_cast<std::size_t>(data[3]) << 8U;

    // A copy of exactly this size lets the sanitizer notice reads past its end.
    std::vector<std::byte> copy(misalignment + size - 4);
    std::transform(data + 4, data + size, copy.begin() + misalignment,
                   [](std::uint8_t byte) { return std::byte{byte}; });
    const Bytes bytes = Bytes(copy).subspan(misalignment);

    std::vector<float> out(100);
    if (!isDecodable(typeId)) {
        require(!decode(typeId, bytes, out, order) && !StoredRows::of(typeId, 256, bytes, order));
        require(!explainWeight(typeId, bytes, 0, order) && blockFields(typeId).empty());
        return 0;
    }
    const TensorTypeFact& type = *findTensorType(typeId);
    const auto rows = StoredRows::of(typeId, blocksInRow * type.blockSize, bytes, order);
    require(rows.has_value());
    checkRows(*rows);
    const std::uint64_t weights = rows->weights();
    const std::uint64_t used = rows->layout.offset(weights);
    require(used <= bytes.size() && bytes.size() - used < std::uint64_t{type.blockBytes} + type.rowHeaderBytes);
    // One row is exactly its bytes.
    std::vector<float> row(rows->layout.columns());
    require(decode(typeId, bytes, row, order).has_value() == (bytes.size() == rows->layout.rowBytes()));
    // A run of weights is refused unless it is inside the rows; inside, it equals the result of decoding them all.
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{37}, out.size()}) {
        const auto run = std::span(out).first(length);
        const bool inside = first <= weights && length <= weights - first;
        require(decode(*rows, first, run).has_value() == inside);
        if (inside && length != 0) {
            std::vector<float> all(weights);
            require(decode(*rows, 0, all).has_value());
            require(std::ranges::equal(run, std::span(all).subspan(first, length), same));
        }
    }
    return 0;
}
