#include "inference/kv_cache.h"

#include "tensor/decode.h"
#include "tensor/encode.h"

#include <cstring>

namespace gufo::inference {
namespace {

std::uint32_t tensorTypeOf(KvCacheType type) {
    switch (type) {
    case KvCacheType::F32:
        return static_cast<std::uint32_t>(TensorType::F32);
    case KvCacheType::F16:
        return static_cast<std::uint32_t>(TensorType::F16);
    case KvCacheType::BF16:
        return static_cast<std::uint32_t>(TensorType::BF16);
    case KvCacheType::Q8_0:
        return static_cast<std::uint32_t>(TensorType::Q8_0);
    }
    return static_cast<std::uint32_t>(TensorType::F32);
}

// Calls part(done, count, bytes) for the whole groups of a row, then for what is left of it.
template<typename Part>
void forParts(std::uint32_t typeId, std::size_t length, const Part& part) {
    const TensorTypeInfo& type = *findTensorType(typeId);
    const std::size_t whole = length / type.blockSize * type.blockSize;
    if (whole != 0) {
        part(std::size_t{0}, whole, whole / type.blockSize * type.blockBytes);
    }
    if (whole != length) {
        part(whole, length - whole, std::size_t{type.blockBytes});
    }
}

constexpr std::size_t kGroup = 32; // of Q8_0, the only one of these types that has groups

} // namespace

KvRows::KvRows(Memory& memory, KvCacheType type, std::uint32_t heads, std::uint32_t length, std::uint32_t slots)
    : m_typeId(tensorTypeOf(type))
    , m_heads(heads)
    , m_length(length)
    , m_slots(slots) {
    forParts(m_typeId, length, [&](std::size_t, std::size_t, std::size_t bytes) { m_rowBytes += bytes; });
    m_bytes = memory.take<std::byte>(std::uint64_t{heads} * slots, m_rowBytes, Memory::Part::Cache);
}

void KvRows::write(std::uint32_t head, std::uint32_t slot, const float* row) {
    std::byte* to = at(head, slot);
    forParts(m_typeId, m_length, [&](std::size_t done, std::size_t count, std::size_t bytes) {
        float group[kGroup]{};
        std::span<const float> from(row + done, count);
        if (const std::size_t blockSize = findTensorType(m_typeId)->blockSize; count < blockSize) {
            std::ranges::copy(from, group);
            from = {group, blockSize};
        }
        // Sizes are right by construction. What no block can hold, NaN or infinity, comes of weights that are no use;
        // it is kept as it is in float and as zeros in blocks.
        if (!encode({.typeId = m_typeId, .columns = from.size(), .importance = {}}, from, {to, bytes})) {
            std::memset(to, 0, bytes);
        }
        to += bytes;
    });
}

void KvRows::read(std::uint32_t head, std::uint32_t slot, std::span<float> row) const {
    const std::byte* from = at(head, slot);
    forParts(m_typeId, m_length, [&](std::size_t done, std::size_t count, std::size_t bytes) {
        const std::span<float> to = row.subspan(done, count);
        if (const std::size_t blockSize = findTensorType(m_typeId)->blockSize; count < blockSize) {
            float group[kGroup];
            (void)decode(m_typeId, {from, bytes}, std::span(group, blockSize));
            std::copy_n(group, count, to.data());
        } else {
            (void)decode(m_typeId, {from, bytes}, to);
        }
        from += bytes;
    });
}

void KvRows::copy(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t head = 0; head < m_heads; ++head) {
        std::memmove(at(head, to), at(head, from), m_rowBytes);
    }
}

// Rows after the gap keep their slots, which then belong to earlier positions; those before it move on by as much, the
// last one first, for its new slot may be that of a later one.
void BlockCache::forget(std::uint32_t to, std::uint32_t count) {
    for (std::uint32_t position = to; position > m_first; --position) {
        const std::uint32_t slot = slotOf(position - 1);
        const std::uint32_t target = slotOf(position - 1 + count);
        keys.copy(slot, target);
        values.copy(slot, target);
    }
    // Where the ring has lost some of the tokens before the gap, what is known begins after it.
    if (m_first > to) {
        m_first = m_first > to + count ? m_first - count : to;
    }
    m_turned += count;
}

} // namespace gufo::inference
