// Decoding of every type: arbitrary bytes of arbitrary length, both byte orders, every kernel that this machine has.
//
// Input: byte 0 the type (index into tensorTypes(), or an unknown number), byte 1 bit 0 the byte order and bits 1-3 a
// misalignment, bytes 2 and 3 where a run of weights begins, the rest encoded blocks.
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

// The bytes of whole blocks.
void checkBlocks(const TensorTypeInfo& type, Bytes blocks, ByteOrder order) {
    const std::size_t count = blocks.size() / type.blockBytes;
    std::vector<float> values(count * type.blockSize);
    require(decode(Isa::Scalar, type.id, blocks, values, order).has_value());
    for (const Isa isa : availableIsas()) {
        std::vector<float> other(values.size());
        require(decode(isa, type.id, blocks, other, order).has_value());
        require(std::ranges::equal(values, other, same));
    }
    std::vector<double> wide(values.size());
    require(decode64(type.id, blocks, wide, order).has_value());
    const auto widened = [](float a, double b) {
        // I64 is rounded once on the way to float, and twice by way of double.
        return same(a, static_cast<float>(b)) || std::abs(static_cast<double>(a) - b) <= 0x1p-23 * std::abs(b);
    };
    require(std::ranges::equal(values, wide, widened));

    std::vector<std::byte> swapped(blocks.size());
    std::vector<std::byte> again(blocks.size());
    require(swapByteOrder(type.id, blocks, swapped).has_value() && swapByteOrder(type.id, swapped, again).has_value());
    require(std::ranges::equal(blocks, again));
    std::vector<float> fromSwapped(values.size());
    const ByteOrder other = order == ByteOrder::Little ? ByteOrder::Big : ByteOrder::Little;
    require(decode(type.id, swapped, fromSwapped, other).has_value());
    require(std::ranges::equal(values, fromSwapped, same));

    for (std::size_t b = 0; b < std::min<std::size_t>(count, 4) && type.kind == TensorTypeKind::Quantised; ++b) {
        const Bytes block = blocks.subspan(b * type.blockBytes, type.blockBytes);
        std::vector<std::uint16_t> codes;
        std::vector<float> scales;
        std::vector<float> minima;
        require(blockCodes(type.id, block, codes, order).has_value() && codes.size() == type.blockSize);
        require(blockScales(type.id, block, scales, &minima, order).has_value());
        require(scales.size() == type.blockSize / subBlockSize(type.id));
        require(minima.empty() || minima.size() == scales.size());
        // Each explanation takes the whole block apart: some weights of each, others in the next.
        for (std::uint32_t i = static_cast<std::uint32_t>(b * 7 % 31); i < type.blockSize; i += 31) {
            const auto weight = explainWeight(type.id, block, i, order);
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
    const std::size_t first = data[2] | static_cast<std::size_t>(data[3]) << 8U;

    // A copy of exactly the size, so that the sanitizer sees a read past its end.
    std::vector<std::byte> copy(misalignment + size - 4);
    std::transform(data + 4, data + size, copy.begin() + misalignment,
                   [](std::uint8_t byte) { return std::byte{byte}; });
    const Bytes bytes = Bytes(copy).subspan(misalignment);

    std::vector<float> out(100);
    if (!isDecodable(typeId)) {
        require(!decode(typeId, bytes, out, order) && !decodeRange(typeId, bytes, first, out, order));
        require(!explainWeight(typeId, bytes, 0, order) && blockFields(typeId).empty());
        return 0;
    }
    const TensorTypeInfo& type = *findTensorType(typeId);
    const std::size_t count = bytes.size() / type.blockBytes;
    const Bytes blocks = bytes.first(count * type.blockBytes);
    checkBlocks(type, blocks, order);
    if (blocks.size() != bytes.size()) { // some bytes too many
        std::vector<float> values(count * type.blockSize);
        require(!decode(typeId, bytes, values, order));
        require(!explainWeight(typeId, bytes, 0, order) || bytes.size() == type.blockBytes);
    }
    // A run of weights lies inside or is refused; inside it is what decode() gives.
    const std::uint64_t weights = std::uint64_t{count} * type.blockSize;
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{37}, out.size()}) {
        const auto run = std::span(out).first(length);
        const bool inside = first <= weights && length <= weights - first;
        require(decodeRange(typeId, bytes, first, run, order).has_value() == inside);
        if (inside && length != 0) {
            std::vector<float> all(weights);
            require(decode(typeId, blocks, all, order).has_value());
            require(std::ranges::equal(run, std::span(all).subspan(first, length), same));
        }
    }
    return 0;
}
