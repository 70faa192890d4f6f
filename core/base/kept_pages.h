// Private copies of pages of a mapped file, which take the place of the pages at the same addresses. If another program
// writes into the file, views of these pages keep showing the bytes that were read.
//
// Threads: other threads may read the pages meanwhile.
#pragma once

#include "base/byte_source.h"

namespace gufo {

// A source whose pages can be replaced by private copies.
class PageKeeper {
public:
    virtual ~PageKeeper() = default;

    // Copies the pages that these views touch. Views of other memory are ignored. Returns the number of bytes that were
    // copied, or nothing if they would exceed `maxBytes`, or if the file has been shortened: then the pages stay as
    // they are.
    [[nodiscard]] virtual std::optional<std::uint64_t> keep(std::span<const Bytes> views,
                                                            std::uint64_t maxBytes) const = 0;
};

// Copies pages of a mapping to the same offsets of a memory file. Returns false if they cannot be read.
[[nodiscard]] bool copyPages(int memory, const std::byte* mapped, ByteRange range);
// Implements PageKeeper::keep() for a mapping of `size` bytes.
[[nodiscard]] std::optional<std::uint64_t> keepPages(const std::byte* mapped, std::uint64_t size,
                                                     std::span<const Bytes> views, std::uint64_t maxBytes);

// The error that says that another program has written into a file since it was opened: the name still belongs to it,
// and its size or time differs (FileChangedOnDisk), or it is shorter (FileChangedWhileReading). A file that was removed
// or replaced by another one is as it was.
[[nodiscard]] std::optional<Error> writtenSince(const std::filesystem::path& path, const ByteSource::Identity& opened);
[[nodiscard]] Error overwritten(const std::filesystem::path& path); // FileChangedOnDisk

} // namespace gufo
