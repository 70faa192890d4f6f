// Keys and values of the tokens seen so far, for each block and KV head, in one of four types.
#pragma once

#include "base/error.h"
#include "inference/engine/compute/memory.h"
#include "model/memory_estimate.h"
#include "tensor/kernels/attention.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace gufo::inference {

// How the rows of a head stand in memory: one after another, which is what sums over positions read, or turned over in
// tiles of positions (tensor/kernels/attention.h), which is what products with a query read.
enum class KvLayout : std::uint8_t { Rows, Tiles };

// Rows of `length` floats for `heads` heads in `slotCount` slots, encoded. Q8_0 fills the last group of a row up with
// zeros. Views the session's memory.
class KvRows {
public:
    KvRows() = default;
    KvRows(Memory& memory, KvCacheType type, std::uint32_t heads, std::uint32_t length, std::uint32_t slotCount,
           KvLayout layout);

    void write(std::uint32_t head, std::uint32_t slot, const float* row);
    void read(std::uint32_t head, std::uint32_t slot, std::span<float> row) const; // length() floats
    // A row's rowBytes() encoded bytes, one after another whatever the layout.
    void save(std::uint32_t head, std::uint32_t slot, std::byte* row) const;
    void restore(std::uint32_t head, std::uint32_t slot, const std::byte* row);
    // Of every head.
    void copy(std::uint32_t from, std::uint32_t to);

    [[nodiscard]] std::uint32_t heads() const { return m_heads; }
    [[nodiscard]] std::uint32_t length() const { return m_length; }
    [[nodiscard]] std::size_t rowBytes() const { return m_rowBytes; }
    [[nodiscard]] std::uint32_t typeId() const { return m_typeId; } // as a tensor's
    [[nodiscard]] KvLayout layout() const { return m_layout; }
    // Where the row begins, or the tile that it is in: every kTileRows slots.
    [[nodiscard]] std::byte* at(std::uint32_t head, std::uint32_t slot) const {
        const std::uint32_t first = m_layout == KvLayout::Tiles ? slot - slot % kTileRows : slot;
        return m_bytes + (std::size_t{head} * m_slots + first) * m_rowBytes;
    }

private:
    // Encoded bytes of a row's `count` elements from `begin` on, a multiple of the group of 32 that is worked off at
    // once, to where they belong or from there.
    template<bool writes, typename RowBytes>
    void exchange(std::uint32_t head, std::uint32_t slot, std::size_t begin, std::size_t count, RowBytes row) const;
    [[nodiscard]] std::size_t bytesOf(std::size_t elements) const;

    KvLayout m_layout = KvLayout::Rows;
    std::uint32_t m_typeId = 0;
    std::uint32_t m_heads = 0;
    std::uint32_t m_length = 0;
    std::uint32_t m_slots = 0; // of whole tiles
    std::size_t m_rowBytes = 0;
    std::byte* m_bytes = nullptr;
};

// The rows of one block by their positions. Where a window looks back on less than the context, only the last positions
// have a slot: a ring. The slots of all positions move on together when tokens in the middle are forgotten, so that
// hardly a row has to be copied.
class BlockCache {
public:
    KvRows keys;
    KvRows values; // none where values are the begins of keys (latent attention)

    BlockCache(KvRows k, KvRows v, std::uint32_t slotCount)
        : keys(k)
        , values(v)
        , m_slots(slotCount) {}

    [[nodiscard]] std::uint32_t slotOf(std::uint32_t position) const {
        return static_cast<std::uint32_t>((std::uint64_t{position} + m_turned) % m_slots);
    }
    // The oldest position that is still known.
    [[nodiscard]] std::uint32_t first() const { return m_first; }
    // Positions up to `end` are about to be written.
    void extend(std::uint32_t end) { m_first = end > m_slots ? std::max(m_first, end - m_slots) : m_first; }
    void forgetAll() { m_first = 0; }

    // Calls take(position, slot, count) for [begin, end) in pieces whose slots stand one after another.
    template<typename Take>
    void forEachRun(std::uint32_t begin, std::uint32_t end, const Take& take) const {
        while (begin < end) {
            const std::uint32_t slot = slotOf(begin);
            const std::uint32_t count = std::min(end - begin, m_slots - slot);
            take(begin, slot, count);
            begin += count;
        }
    }

    // The tokens from `to` + `count` on, up to `end`, become those from `to` on; those before `to` stay. Their keys
    // have yet to be turned.
    void forget(std::uint32_t to, std::uint32_t count);

    // A cache as it was saved: what is known begins at `first`.
    [[nodiscard]] bool canHold(std::uint32_t first, std::uint32_t end) const {
        return first <= end && end - first <= m_slots;
    }
    void restore(std::uint32_t first) { m_first = first; }

private:
    std::uint32_t m_slots;
    std::uint32_t m_first = 0;
    std::uint64_t m_turned = 0; // slots that the rows have moved on
};

} // namespace gufo::inference
