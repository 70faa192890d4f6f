#include "inference/engine/kv_cache.h"

#include "tensor/decode.h"
#include "tensor/encode.h"

#include <cstring>

namespace gufo::inference {
namespace {

constexpr std::size_t kGroup = 32;                          // elements copied at once: a block of the block types
constexpr std::size_t kGroupBytes = kGroup * sizeof(float); // at most

template<bool writes, typename RowBytes>
void copyBytes(std::byte* place, RowBytes row, std::size_t bytes) {
    if constexpr (writes) {
        std::memcpy(place, row, bytes);
    } else {
        std::memcpy(row, place, bytes);
    }
}

// Copies a transposed row: `count` pieces of `bytes` bytes, which are interleaved with those of the other rows of the
// tile.
template<bool writes, std::size_t bytes, typename RowBytes>
void copyTransposed(std::byte* place, RowBytes row, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        copyBytes<writes>(place + i * kTileRows * bytes, row + i * bytes, bytes);
    }
}

} // namespace

KvRows::KvRows(Memory& memory, KvCacheType type, std::uint32_t heads, std::uint32_t length, std::uint32_t slotCount,
               KvLayout layout, Memory::Part part)
    : m_layout(layout)
    , m_typeId(static_cast<std::uint32_t>(kvTensorType(type)))
    , m_heads(heads)
    , m_length(length)
    , m_slots(layout == KvLayout::Tiles ? (slotCount + kTileRows - 1) / kTileRows * kTileRows : slotCount)
    , m_rowBytes(bytesOf(length))
    , m_bytes(memory.take<std::byte>(std::uint64_t{heads} * m_slots, m_rowBytes, part)) {}

std::size_t KvRows::bytesOf(std::size_t elements) const {
    const TensorTypeInfo& type = *findTensorType(m_typeId);
    return blocksBytes(type, elements + type.blockSize - 1);
}

template<bool writes, typename RowBytes>
void KvRows::exchange(std::uint32_t head, std::uint32_t slot, std::size_t begin, std::size_t count,
                      RowBytes row) const {
    if (m_layout == KvLayout::Rows) {
        copyBytes<writes>(at(head, slot) + bytesOf(begin), row, bytesOf(count));
        return;
    }
    const std::size_t lane = slot % kTileRows;
    if (tilesHoldRows(static_cast<TensorType>(m_typeId))) {
        copyBytes<writes>(at(head, slot) + lane * m_rowBytes + bytesOf(begin), row, bytesOf(count));
        return;
    }
    std::byte* const group = at(head, slot) + bytesOf(begin) * kTileRows;
    switch (static_cast<TensorType>(m_typeId)) {
    case TensorType::Q8_0: // a scale and 32 codes, interleaved four at a time
        copyBytes<writes>(group + 2 * lane, row, 2);
        copyTransposed<writes, 4>(group + 2 * kTileRows + 4 * lane, row + 2, kGroup / 4);
        return;
    case TensorType::F32:
        copyTransposed<writes, 4>(group + 4 * lane, row, count);
        return;
    default:
        copyTransposed<writes, 2>(group + 2 * lane, row, count);
        return;
    }
}

void KvRows::write(std::uint32_t head, std::uint32_t slot, const float* row) {
    for (std::size_t begin = 0; begin < m_length; begin += kGroup) {
        const std::size_t count = std::min(kGroup, m_length - begin);
        float group[kGroup]{};
        std::copy_n(row + begin, count, group);
        const std::span<const float> whole(group, findTensorType(m_typeId)->blockSize > 1 ? kGroup : count);
        std::byte bytes[kGroupBytes];
        const std::span<std::byte> to(bytes, bytesOf(count));
        // The sizes are right by construction. Encoding fails only for NaN and infinity, which only useless weights
        // produce: floats keep them, blocks become zeros.
        if (!encode({.typeId = m_typeId, .columns = whole.size(), .importance = {}}, whole, to)) {
            std::ranges::fill(to, std::byte{0});
        }
        exchange<true>(head, slot, begin, count, static_cast<const std::byte*>(bytes));
    }
}

void KvRows::read(std::uint32_t head, std::uint32_t slot, std::span<float> row) const {
    for (std::size_t begin = 0; begin < m_length; begin += kGroup) {
        const std::size_t count = std::min(kGroup, m_length - begin);
        std::byte bytes[kGroupBytes];
        exchange<false>(head, slot, begin, count, static_cast<std::byte*>(bytes));
        float group[kGroup];
        const std::span whole(group, findTensorType(m_typeId)->blockSize > 1 ? kGroup : count);
        (void)decode(m_typeId, std::span(bytes, bytesOf(count)), whole);
        std::copy_n(group, count, row.data() + begin);
    }
}

void KvRows::save(std::uint32_t head, std::uint32_t slot, std::byte* row) const {
    for (std::size_t begin = 0; begin < m_length; begin += kGroup) {
        exchange<false>(head, slot, begin, std::min(kGroup, m_length - begin), row + bytesOf(begin));
    }
}

void KvRows::restore(std::uint32_t head, std::uint32_t slot, const std::byte* row) {
    for (std::size_t begin = 0; begin < m_length; begin += kGroup) {
        exchange<true>(head, slot, begin, std::min(kGroup, m_length - begin), row + bytesOf(begin));
    }
}

void KvRows::copy(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t head = 0; head < m_heads; ++head) {
        for (std::size_t begin = 0; begin < m_length; begin += kGroup) {
            const std::size_t count = std::min(kGroup, m_length - begin);
            std::byte bytes[kGroupBytes];
            exchange<false>(head, from, begin, count, static_cast<std::byte*>(bytes));
            exchange<true>(head, to, begin, count, static_cast<const std::byte*>(bytes));
        }
    }
}

// Rows after the gap keep their slots, which then belong to earlier positions. Rows before it move on by the length of
// the gap, the last one first, because its new slot may overlap a later row's old one.
void BlockCache::forget(std::uint32_t to, std::uint32_t count) {
    for (std::uint32_t position = to; position > m_first; --position) {
        const std::uint32_t slot = slotOf(position - 1);
        const std::uint32_t target = slotOf(position - 1 + count);
        for (KvRows* rows : parts()) {
            rows->copy(slot, target);
        }
    }
    // If the ring buffer no longer holds some tokens before the gap, the known positions begin after it.
    if (m_first > to) {
        m_first = m_first > to + count ? m_first - count : to;
    }
    m_rotation += count;
}

} // namespace gufo::inference
