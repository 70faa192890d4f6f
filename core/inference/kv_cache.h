// Keys and values of the tokens seen so far, for each block and KV head, in one of four types.
#pragma once

#include "base/error.h"
#include "model/memory_estimate.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gufo::inference {

// Rows of `length` floats for `heads` heads and `context` positions, encoded. Memory is taken as rows are written.
class KvRows {
public:
    KvRows() = default;
    // Errors: InvalidArgument where Q8_0's groups do not divide the row; NotEnoughMemory.
    [[nodiscard]] static Result<KvRows> make(KvCacheType type, std::uint32_t heads, std::uint32_t length,
                                             std::uint32_t context);

    void write(std::uint32_t head, std::uint32_t position, const float* row);
    // The row as floats: decoded to `scratch` (length() floats), or where it is.
    [[nodiscard]] const float* read(std::uint32_t head, std::uint32_t position, float* scratch) const;
    // Rows [from, from + count) to [to, …), in every head.
    void move(std::uint32_t from, std::uint32_t to, std::uint32_t count);

    [[nodiscard]] std::uint32_t heads() const { return m_heads; }
    [[nodiscard]] std::uint32_t length() const { return m_length; }
    [[nodiscard]] std::size_t rowBytes() const { return m_rowBytes; }
    [[nodiscard]] std::span<std::byte> rowsOf(std::uint32_t head, std::uint32_t count) {
        return {at(head, 0), count * m_rowBytes};
    }
    [[nodiscard]] std::span<const std::byte> rowsOf(std::uint32_t head, std::uint32_t count) const {
        return {at(head, 0), count * m_rowBytes};
    }

private:
    [[nodiscard]] std::byte* at(std::uint32_t head, std::uint32_t position) const {
        return m_bytes.get() + (std::size_t{head} * m_context + position) * m_rowBytes;
    }

    KvCacheType m_type = KvCacheType::F16;
    std::uint32_t m_heads = 0;
    std::uint32_t m_length = 0;
    std::uint32_t m_context = 0;
    std::size_t m_rowBytes = 0;
    std::unique_ptr<std::byte[]> m_bytes;
};

struct BlockCache {
    KvRows keys;
    KvRows values;
};

} // namespace gufo::inference
