#include "tensor/block_layout.h"

#include "tensor/kernels/scalar/all_blocks.h"

#include <algorithm>

namespace gufo {
namespace {

template<typename Block>
constexpr BlockLayout layoutOf() {
    static_assert(Block::kBlockSize <= kMaxBlockSize && Block::kBlockSize / Block::kSubBlock <= 16);
    // The fields cover the block without gaps.
    static_assert([] {
        std::uint32_t end = 0;
        for (const BlockField& field : Block::kFields) {
            if (field.offset != end || field.bytes % field.fieldSize != 0) {
                return false;
            }
            end += field.bytes;
        }
        return end == Block::kBlockBytes;
    }());
    return {static_cast<std::uint32_t>(Block::kType),
            Block::kSubBlock,
            Block::kHasMinima,
            Block::kLevels,
            Block::kFields,
            Block::unpack};
}

constexpr auto kBlockLayouts = [] {
    std::array<BlockLayout, 64> layouts{};
    scalar::forEachBlockType(
        [&]<typename Block>() { layouts[static_cast<std::size_t>(Block::kType)] = layoutOf<Block>(); });
    return layouts;
}();

} // namespace

const BlockLayout* findBlockLayout(std::uint32_t typeId) {
    return typeId < kBlockLayouts.size() && kBlockLayouts[typeId].unpack != nullptr ? &kBlockLayouts[typeId] : nullptr;
}

} // namespace gufo
