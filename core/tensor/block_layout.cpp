#include "tensor/block_layout.h"

#include "tensor/kernels/scalar/all_blocks.h"
#include "tensor/tensor_type_table.h"

#include <algorithm>
#include <cassert>

namespace gufo {
namespace {

// Whether the fields fill that many bytes, one after the other and without gaps.
constexpr bool cover(std::span<const BlockField> fields, std::size_t bytes) {
    std::uint32_t end = 0;
    for (const BlockField& field : fields) {
        if (field.offset != end || field.bytes % field.fieldSize != 0) {
            return false;
        }
        end += field.bytes;
    }
    return end == bytes;
}

template<typename Block>
constexpr std::span<const BlockField> headerFieldsOf() {
    if constexpr (scalar::hasRowHeader<Block>) {
        return Block::kHeaderFields;
    } else {
        return {};
    }
}

template<typename Block>
constexpr auto boundsFunction() -> decltype(BlockLayout::bounds) {
    if constexpr (scalar::hasFastScales<Block>) {
        return scalar::boundsOf<Block>;
    } else {
        return nullptr;
    }
}

template<typename Block>
constexpr auto looseBoundsFunction() -> decltype(BlockLayout::looseBounds) {
    if constexpr (scalar::hasMostScale<Block>) {
        return scalar::looseBoundsOf<Block>;
    } else {
        return nullptr;
    }
}

// Every type would do without bounds, only more slowly, so that no test would notice their loss.
static_assert(scalar::hasFastScales<scalar::Q4_0> && scalar::hasFastScales<scalar::Q4_K> &&
              scalar::hasFastScales<scalar::IQ2_XXS> && scalar::hasFastScales<scalar::Q4_0_GGJT1>);
static_assert(scalar::beginsWithHalves<scalar::Q4_0> && scalar::beginsWithHalves<scalar::Q4_1> &&
              scalar::beginsWithHalves<scalar::Q8_0> && scalar::beginsWithHalves<scalar::Q4_3>);
static_assert(scalar::hasMostScale<scalar::Q4_K> && scalar::hasMostScale<scalar::IQ1_M> &&
              scalar::hasMostScale<scalar::IQ5_K> && scalar::hasMostScale<scalar::IQ4_KS>);

template<typename Block>
BlockLayout layoutOf() {
    static_assert(Block::kBlockSize <= kMaxBlockSize && Block::kBlockSize / Block::kSubBlock <= 16);
    static_assert(Block::kBlockBytes <= kMaxBlockBytes);
    static_assert(cover(Block::kFields, Block::kBlockBytes));
    return {.typeId = static_cast<std::uint32_t>(Block::kType),
            .subBlock = Block::kSubBlock,
            .hasMinima = Block::kHasMinima,
            .levels = Block::kLevels,
            .fields = Block::kFields,
            .headerFields = headerFieldsOf<Block>(),
            .unpack = scalar::unpack<Block>,
            .bounds = boundsFunction<Block>(),
            .looseBounds = looseBoundsFunction<Block>()};
}

} // namespace

void swapFields(std::span<const BlockField> fields, const std::byte* in, std::byte* out) {
    for (const BlockField& field : fields) {
        for (std::uint32_t at = field.offset; at < field.offset + field.bytes; at += field.fieldSize) {
            std::reverse_copy(in + at, in + at + field.fieldSize, out + at);
        }
    }
}

const BlockLayout* findBlockLayout(std::uint32_t typeId) {
    static const TensorTypeTable<BlockLayout> layouts = [] {
        TensorTypeTable<BlockLayout> table;
        scalar::forEachBlockType([&]<typename Block>() {
            assert(tensorTypeFact(Block::kType).blockSize == Block::kBlockSize);
            assert(tensorTypeFact(Block::kType).blockBytes == Block::kBlockBytes);
            assert(tensorTypeFact(Block::kType).rowHeaderBytes <= kMaxRowHeader);
            assert(cover(headerFieldsOf<Block>(), tensorTypeFact(Block::kType).rowHeaderBytes));
            table[Block::kType] = layoutOf<Block>();
        });
        return table;
    }();
    const BlockLayout& layout = layouts[typeId];
    return layout.unpack != nullptr ? &layout : nullptr;
}

} // namespace gufo
