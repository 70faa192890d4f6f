// The KV cache: keys and values of the tokens seen so far, for each block and KV head, in one of the types of
// KvCacheType.
#pragma once

#include "base/error.h"
#include "inference/engine/compute/memory.h"
#include "model/memory_estimate.h"
#include "tensor/kernels/attention.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace gufo::inference {

// Memory layout of a head's rows. Rows are contiguous, as weighted sums over positions read them; Tiles are transposed
// in groups of kTileRows positions (tensor/kernels/attention.h), as products with a query read them.
enum class KvLayout : std::uint8_t { Rows, Tiles };

// How the elements of a row are stored: as the tensor type stores them, or for F16 as blocks of 16-bit integers with a
// scale (kBlock16 in tensor/kernels/attention.h), whose products need no conversion.
enum class KvEncoding : std::uint8_t { TensorType, Block16 };

// Encoded rows of `length` floats for `heads` heads in `slotCount` slots. Types of blocks pad the last block of a row
// with zeros. A view of the session's memory.
class KvRows {
public:
    KvRows() = default;
    KvRows(Memory& memory, KvCacheType type, std::uint32_t heads, std::uint32_t length, std::uint32_t slotCount,
           KvLayout layout, Memory::Part part = Memory::Part::Cache);

    void write(std::uint32_t head, std::uint32_t slot, const float* row);
    void read(std::uint32_t head, std::uint32_t slot, std::span<float> row) const; // length() floats
    // Copies the rowBytes() encoded bytes of a row. They are contiguous in `row`, whatever the layout.
    void save(std::uint32_t head, std::uint32_t slot, std::byte* row) const;
    void restore(std::uint32_t head, std::uint32_t slot, const std::byte* row);
    // Copies the rows of all heads.
    void copy(std::uint32_t from, std::uint32_t to);

    [[nodiscard]] std::uint32_t heads() const { return m_heads; }
    [[nodiscard]] std::uint32_t length() const { return m_length; }
    [[nodiscard]] std::size_t rowBytes() const { return m_rowBytes; }
    [[nodiscard]] std::uint32_t typeId() const { return m_typeId; } // the id of the tensor type
    [[nodiscard]] KvLayout layout() const { return m_layout; }
    // Returns the beginning of the row, or of the tile of kTileRows slots that contains it.
    [[nodiscard]] std::byte* at(std::uint32_t head, std::uint32_t slot) const {
        const std::uint32_t first = m_layout == KvLayout::Tiles ? slot - slot % kTileRows : slot;
        return m_bytes + (std::size_t{head} * m_slots + first) * m_rowBytes;
    }

private:
    // Copies the encoded bytes of at most atOnce() elements from `begin` on, a multiple of that, between `row` and the
    // cache.
    template<bool writes, typename RowBytes>
    void exchange(std::uint32_t head, std::uint32_t slot, std::size_t begin, std::size_t count, RowBytes row) const;
    [[nodiscard]] std::size_t bytesOf(std::size_t elements) const;
    [[nodiscard]] std::size_t atOnce() const;
    void writeBlock16(std::uint32_t head, std::uint32_t slot, std::span<const float> row);
    void readBlock16(std::uint32_t head, std::uint32_t slot, std::span<float> row) const;

    KvLayout m_layout = KvLayout::Rows;
    std::uint32_t m_typeId = 0;
    KvEncoding m_encoding = KvEncoding::TensorType;
    std::uint32_t m_heads = 0;
    std::uint32_t m_length = 0;
    std::uint32_t m_slots = 0; // rounded up to whole tiles
    std::size_t m_rowBytes = 0;
    std::byte* m_bytes = nullptr;
};

// The rows of one block, addressed by position. Where a sliding window is shorter than the context, the slots are a
// ring buffer of the last positions. Dropping tokens in the middle rotates the ring, so that few rows have to be
// copied.
class BlockCache {
public:
    KvRows keys;
    KvRows values; // empty where values are prefixes of keys (latent attention)
    KvRows index;  // the keys of the indexer (blocks/indexer.h); empty: the block has none

    BlockCache(KvRows k, KvRows v, std::uint32_t slotCount, KvRows i = {})
        : keys(k)
        , values(v)
        , index(i)
        , m_slots(slotCount) {}

    [[nodiscard]] std::array<KvRows*, 3> parts() { return {&keys, &values, &index}; }
    [[nodiscard]] std::array<const KvRows*, 3> parts() const { return {&keys, &values, &index}; }
    // Of all rows of a position.
    [[nodiscard]] std::uint64_t positionBytes() const {
        std::uint64_t bytes = 0;
        for (const KvRows* rows : parts()) {
            bytes += std::uint64_t{rows->heads()} * rows->rowBytes();
        }
        return bytes;
    }

    // Whether the block attends, so that there is anything to cache.
    [[nodiscard]] bool used() const { return keys.heads() != 0; }
    [[nodiscard]] std::uint32_t slotOf(std::uint32_t position) const {
        return static_cast<std::uint32_t>((std::uint64_t{position} + m_rotation) % m_slots);
    }
    // The oldest position that is still in the cache.
    [[nodiscard]] std::uint32_t first() const { return m_first; }
    // Makes room for positions up to `end`, which are about to be written.
    void extend(std::uint32_t end) { m_first = end > m_slots ? std::max(m_first, end - m_slots) : m_first; }
    void forgetAll() { m_first = 0; }

    // Calls take(position, slot, count) for each contiguous run of slots in [begin, end).
    template<typename Take>
    void forEachRun(std::uint32_t begin, std::uint32_t end, const Take& take) const {
        while (begin < end) {
            const std::uint32_t slot = slotOf(begin);
            const std::uint32_t count = std::min(end - begin, m_slots - slot);
            take(begin, slot, count);
            begin += count;
        }
    }

    // Drops `count` tokens from position `to` on; later tokens move down to `to`. Their keys still have to be rotated.
    void forget(std::uint32_t to, std::uint32_t count);

    // For a saved cache whose oldest position is `first`:
    [[nodiscard]] bool canHold(std::uint32_t first, std::uint32_t end) const {
        return first <= end && end - first <= m_slots;
    }
    void restore(std::uint32_t first) { m_first = first; }

private:
    std::uint32_t m_slots;
    std::uint32_t m_first = 0;
    std::uint64_t m_rotation = 0; // by how many slots the rows have moved on
};

} // namespace gufo::inference
