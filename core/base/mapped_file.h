// A file mapped into memory, read-only: a ByteSource that costs no copy and no memory of its own.
//
// Another process may truncate the file while it is mapped; touching the missing pages then raises SIGBUS. A handler
// put in place with the first mapping replaces such a page by zeros and marks the mapping as damaged, so that the
// reader ends normally and finds the error in damage().
#pragma once

#include "base/byte_source.h"

#include <atomic>
#include <memory>

namespace gufo {

class MappedFile final : public ByteSource {
public:
    // Errors: FileNotFound, PermissionDenied, IsDirectory, NotRegularFile, EmptyFile, ReadFailed, MapFailed.
    // Never blocks on a FIFO.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    ~MappedFile() override;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    void advise(ByteRange range, Access access) const override;
    [[nodiscard]] std::optional<Error> damage() const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

    // What tells this file from any other, and from itself after a change: device, inode, size, time of change (ns).
    struct Identity {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t size = 0;
        std::int64_t modified = 0;
        bool operator==(const Identity&) const = default;
    };
    [[nodiscard]] const Identity& identity() const { return m_identity; }

private:
    MappedFile() = default;

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
    Identity m_identity;
    int m_slot = -1; // in the registry that the SIGBUS handler reads
};

} // namespace gufo
