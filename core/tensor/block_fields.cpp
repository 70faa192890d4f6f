#include "tensor/block_fields.h"

#include "base/detail.h"
#include "tensor/block_layout.h"
#include "tensor/decode.h"
#include "tensor/tensor_type.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

// Unpacks one block. Errors: NotDecodable, InvalidArgument (not one block and its row header).
Result<const BlockLayout*> unpackBlock(std::uint32_t typeId, const StoredBlock& block, ByteOrder order,
                                       UnpackedBlock& out) {
    const BlockLayout* layout = findBlockLayout(typeId);
    const TensorTypeFact* type = findTensorType(typeId);
    if (layout == nullptr || type == nullptr) {
        return fail(ErrorCode::NotDecodable, {}, {type != nullptr ? std::string(type->name) : std::to_string(typeId)});
    }
    if (block.bytes.size() != type->blockBytes || block.header.size() != type->rowHeaderBytes) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::BlockSizeWrong});
    }
    if (order == ByteOrder::Big) {
        std::array<std::byte, kMaxRowHeader> header;
        std::array<std::byte, kMaxBlockBytes> bytes;
        swapFields(layout->headerFields, block.header.data(), header.data());
        swapFields(layout->fields, block.bytes.data(), bytes.data());
        layout->unpack(header.data(), bytes.data(), out);
    } else {
        layout->unpack(block.header.data(), block.bytes.data(), out);
    }
    return layout;
}

} // namespace

std::span<const BlockField> blockFields(std::uint32_t typeId) {
    const BlockLayout* layout = findBlockLayout(typeId);
    return layout != nullptr ? layout->fields : std::span<const BlockField>();
}

std::span<const BlockField> rowHeaderFields(std::uint32_t typeId) {
    const BlockLayout* layout = findBlockLayout(typeId);
    return layout != nullptr ? layout->headerFields : std::span<const BlockField>();
}

Result<WeightFields> explainWeight(std::uint32_t typeId, const StoredBlock& block, std::uint32_t index,
                                   ByteOrder order) {
    UnpackedBlock unpacked;
    const auto layout = GUFO_TRY(unpackBlock(typeId, block, order, unpacked));
    if (index >= findTensorType(typeId)->blockSize) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::WeightOutsideBlock});
    }
    WeightFields weight;
    weight.code = unpacked.codes[index];
    weight.level = layout->levels[unpacked.codes[index]];
    weight.subBlock = index / layout->subBlock;
    weight.scale = unpacked.scales[weight.subBlock];
    weight.value = static_cast<float>(weight.level) * weight.scale;
    if (layout->hasMinima) {
        weight.minimum = unpacked.minima[weight.subBlock];
        weight.value -= weight.minimum;
    }
    return weight;
}

Result<> blockScales(std::uint32_t typeId, const StoredBlock& block, std::vector<float>& out,
                     std::vector<float>* minima, ByteOrder order) {
    UnpackedBlock unpacked;
    const auto layout = GUFO_TRY(unpackBlock(typeId, block, order, unpacked));
    const std::size_t count = findTensorType(typeId)->blockSize / layout->subBlock;
    out.insert(out.end(), unpacked.scales.begin(), unpacked.scales.begin() + count);
    if (minima != nullptr && layout->hasMinima) {
        minima->insert(minima->end(), unpacked.minima.begin(), unpacked.minima.begin() + count);
    }
    return {};
}

std::uint32_t subBlockSize(std::uint32_t typeId) {
    const BlockLayout* layout = findBlockLayout(typeId);
    return layout != nullptr ? layout->subBlock : 0;
}

std::uint32_t codeCount(std::uint32_t typeId) {
    const BlockLayout* layout = findBlockLayout(typeId);
    return layout != nullptr ? static_cast<std::uint32_t>(layout->levels.size()) : 0;
}

Result<> blockCodes(std::uint32_t typeId, const StoredBlock& block, std::vector<std::uint16_t>& out, ByteOrder order) {
    UnpackedBlock unpacked;
    GUFO_TRY(unpackBlock(typeId, block, order, unpacked));
    out.insert(out.end(), unpacked.codes.begin(), unpacked.codes.begin() + findTensorType(typeId)->blockSize);
    return {};
}

} // namespace gufo
