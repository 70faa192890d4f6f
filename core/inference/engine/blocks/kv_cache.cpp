#include "inference/engine/blocks/kv_cache.h"

#include "tensor/decode.h"
#include "tensor/encode.h"
#include "tensor/kernels/portable/codes16.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace gufo::inference {
namespace {

constexpr std::size_t kGroup = 32; // elements copied at once: a block of the block types
constexpr std::size_t kGroupBytes = std::max(kGroup * sizeof(float), kBlock16 * sizeof(std::int16_t)); // at most

template<bool writes, typename RowBytes>
void copyBytes(std::byte* place, RowBytes row, std::size_t bytes) {
    if constexpr (writes) {
        std::memcpy(place, row, bytes);
    } else {
        std::memcpy(row, place, bytes);
    }
}

// Copies a transposed row: `count` pieces of `bytes` bytes, which are interleaved with the pieces of the other rows of
// the tile.
template<bool writes, std::size_t bytes, typename RowBytes>
void copyTransposed(std::byte* place, RowBytes row, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        copyBytes<writes>(place + i * kTileRows * bytes, row + i * bytes, bytes);
    }
}

// Rounds a block to codes of F16 (tensor/kernels/attention.h): `codes` has room for its padding.
void roundToCodes(std::span<const float> block, std::span<std::int16_t> codes) {
    std::uint32_t largest = 0; // the bits of a magnitude, which are ordered as magnitudes are, with NaN above all
    for (const float x : block) {
        largest = std::max(largest, std::bit_cast<std::uint32_t>(x) & 0x7FFF'FFFFU);
    }
    const std::uint32_t exponent = largest >> 23U;
    const float scale = scaleOfExponent(exponent);
    std::ranges::fill(codes, std::int16_t{0});
    float first[kScaleCodes]{};
    if (scale > 0) {
        const float inverse = 1 / scale;
        for (std::size_t i = 0; i < block.size(); ++i) {
            const float exact = block[i] * inverse; // at most 2^14, so that adding 1.5 × 2^23 rounds it
            codes[i] = static_cast<std::int16_t>(std::bit_cast<std::uint32_t>(exact + 0x1.8p23F));
        }
        for (std::size_t i = 0; i < std::min(kScaleCodes, block.size()); ++i) {
            first[i] = block[i] * inverse;
        }
    }
    for (std::size_t i = 0; i < kScaleCodes; ++i) { // the closest codes with these lowest bits
        constexpr int kStep = 1 << kScaleBits;
        const auto low = static_cast<int>(exponent >> (kScaleBits * i) & (kStep - 1));
        const int code = static_cast<int>(std::lrint((first[i] - static_cast<float>(low)) / kStep)) * kStep + low;
        const int inside = code > kLargestCode16 ? code - kStep : code < -kLargestCode16 ? code + kStep : code;
        codes[i] = static_cast<std::int16_t>(inside);
    }
}

} // namespace

KvRows::KvRows(Memory& memory, KvCacheType type, std::uint32_t heads, std::uint32_t length, std::uint32_t slotCount,
               KvLayout layout, Memory::Part part)
    : m_layout(layout)
    , m_typeId(static_cast<std::uint32_t>(kvTensorType(type)))
    , m_encoding(kvTensorType(type) == TensorType::F16 ? KvEncoding::Block16 : KvEncoding::TensorType)
    , m_heads(heads)
    , m_length(length)
    , m_slots(layout == KvLayout::Tiles ? (slotCount + kTileRows - 1) / kTileRows * kTileRows : slotCount)
    , m_rowBytes(*kvRowBytes(type, length).value()) // lengths have 32 bits
    , m_bytes(memory.take<std::byte>(std::uint64_t{heads} * m_slots, m_rowBytes, part)) {}

std::size_t KvRows::bytesOf(std::size_t elements) const {
    if (m_encoding == KvEncoding::Block16) {
        return codesOfRow16(elements) * sizeof(std::int16_t);
    }
    const TensorTypeFact& type = *findTensorType(m_typeId);
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
    case TensorType::F16: // pairs of codes
        copyTransposed<writes, 4>(group + 4 * lane, row, codesOfRow16(count) / 2);
        return;
    default:
        copyTransposed<writes, 2>(group + 2 * lane, row, count);
        return;
    }
}

std::size_t KvRows::atOnce() const { return m_encoding == KvEncoding::Block16 ? kBlock16 : kGroup; }

void KvRows::writeBlock16(std::uint32_t head, std::uint32_t slot, std::span<const float> row) {
    for (std::size_t begin = 0; begin < row.size(); begin += kBlock16) {
        const std::span<const float> block = row.subspan(begin, std::min(kBlock16, row.size() - begin));
        std::int16_t codes[kBlock16];
        roundToCodes(block, std::span(codes).first(codesOfRow16(block.size())));
        exchange<true>(head, slot, begin, block.size(), reinterpret_cast<const std::byte*>(codes));
    }
}

void KvRows::write(std::uint32_t head, std::uint32_t slot, const float* row) {
    if (m_encoding == KvEncoding::Block16) {
        writeBlock16(head, slot, {row, m_length});
        return;
    }
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

void KvRows::readBlock16(std::uint32_t head, std::uint32_t slot, std::span<float> row) const {
    for (std::size_t begin = 0; begin < m_length; begin += kBlock16) {
        const std::size_t count = std::min<std::size_t>(kBlock16, m_length - begin);
        std::int16_t codes[kBlock16];
        exchange<false>(head, slot, begin, count, reinterpret_cast<std::byte*>(codes));
        const float scale = scaleOfCodes(reinterpret_cast<const std::byte*>(codes));
        std::transform(codes, codes + count, row.data() + begin,
                       [&](std::int16_t code) { return scale * static_cast<float>(code); });
    }
}

void KvRows::read(std::uint32_t head, std::uint32_t slot, std::span<float> row) const {
    if (m_encoding == KvEncoding::Block16) {
        readBlock16(head, slot, row);
        return;
    }
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
    for (std::size_t begin = 0; begin < m_length; begin += atOnce()) {
        exchange<false>(head, slot, begin, std::min(atOnce(), m_length - begin), row + bytesOf(begin));
    }
}

void KvRows::restore(std::uint32_t head, std::uint32_t slot, const std::byte* row) {
    for (std::size_t begin = 0; begin < m_length; begin += atOnce()) {
        exchange<true>(head, slot, begin, std::min(atOnce(), m_length - begin), row + bytesOf(begin));
    }
}

void KvRows::copy(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t head = 0; head < m_heads; ++head) {
        for (std::size_t begin = 0; begin < m_length; begin += atOnce()) {
            const std::size_t count = std::min(atOnce(), m_length - begin);
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
