// Chooses the length of the reserved space, and with it the size of the header that a save writes.
#pragma once

#include "formats/gguf/write/contents.h"

#include <optional>

namespace gufo::gguf {

class HeaderSize {
public:
    // `unit` is the number of bytes by which a shift can move the tensor data. If `canShift`, the file system does it.
    // With `keeps`, reserved space is kept even if the header would have its original size without it.
    HeaderSize(const ShardContent& shard, const SaveOptions& options, std::uint64_t unit, bool canShift, bool keeps);

    // Whether the reserved space is given up because the header then has its original size again.
    [[nodiscard]] bool hasOriginalSize() const {
        return m_has && m_content.dataOffset(m_bare) == m_unreserved && !m_keeps;
    }
    // The reserved space if the tensor data stays and the header may take its old place.
    [[nodiscard]] std::optional<std::uint64_t> inPlace() const;
    // The reserved space if the file is rewritten anyway: it keeps its length.
    [[nodiscard]] std::optional<std::uint64_t> anew(const ArrayView* before) const;

private:
    // The number of bytes that can be reserved in a header of `size` bytes, so that it ends where the data starts.
    [[nodiscard]] std::optional<std::uint64_t> roomIn(std::uint64_t size) const;

    const FileContent& m_content;
    std::uint64_t m_old;
    std::uint64_t m_bare;
    std::uint64_t m_overhead;
    std::uint64_t m_unit;
    bool m_canShift;
    bool m_has;
    bool m_may;
    std::uint64_t m_unreserved;
    bool m_keeps;
    std::optional<SaveStrategy> m_forced;
};

} // namespace gufo::gguf
