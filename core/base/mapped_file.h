// A file mapped into memory, read-only: a ByteSource that costs no copy and no memory of its own.
//
// Another process may truncate the file while it is mapped; touching the missing pages then raises SIGBUS. A handler
// put in place with the first mapping replaces such a page by zeros and marks the mapping as damaged, so that the
// reader ends normally and finds the error in damage().
//
// A mapping stands in the way of changing the file in place: no write lease can be had while one exists, in this
// process or another. So mappings can be revoked for a moment (RevokedMappings). Their views stay valid: those of the
// header read as before, for good; those of the rest are restored where they were. Whoever reads the rest in between
// gets zeros, and damage().
#pragma once

#include "base/byte_source.h"

#include <atomic>
#include <memory>
#include <vector>

namespace gufo {

struct MappingSlot; // what the SIGBUS handler knows of a mapping

class MappedFile final : public ByteSource, public std::enable_shared_from_this<MappedFile> {
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

    // Keeps every mapping of this file in this process from being revoked while the result lives: for who runs the
    // model. Waits until one that is revoked is restored (milliseconds).
    [[nodiscard]] std::shared_ptr<const void> hold() const;
    [[nodiscard]] bool isHeld() const; // by anybody in this process

private:
    friend class RevokedMappings;
    MappedFile() = default;
    [[nodiscard]] bool sameFile(const Identity& other) const {
        return m_identity.device == other.device && m_identity.inode == other.inode;
    }
    [[nodiscard]] bool revoke(std::uint64_t keptBytes) const;
    void restore(int file, std::int64_t shift) const;

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
    Identity m_identity;
    MappingSlot* m_slot = nullptr;
    mutable std::atomic<bool> m_lost{false}; // revoked, and not restored
    // Of a mapping that was revoked: whole pages from the front that are a copy, and how far the file moved since.
    mutable std::uint64_t m_keptBytes = 0;
    mutable std::int64_t m_shift = 0;
};

// All mappings of a file in this process, taken off it.
//
// Threads: made and destroyed by one thread; others may go on reading.
class RevokedMappings {
public:
    // `keptBytes` from the front, the header, stay readable. Errors: FileBusy if somebody holds one, MapFailed; then
    // all are as before.
    [[nodiscard]] static Result<RevokedMappings> revoke(const std::filesystem::path& path,
                                                        const MappedFile::Identity& file, std::uint64_t keptBytes);

    RevokedMappings(RevokedMappings&&) noexcept = default;
    RevokedMappings& operator=(RevokedMappings&&) = delete;
    // Restores them. No lease may be held any more: the file is opened for that.
    ~RevokedMappings();

    // What was at `offset` behind the header is now at offset + shift (a multiple of the page size) in the file.
    void setShift(std::int64_t shift) { m_shift = shift; }

private:
    RevokedMappings() = default;

    std::vector<std::shared_ptr<const MappedFile>> m_mappings;
    std::filesystem::path m_path;
    MappedFile::Identity m_file;
    std::int64_t m_shift = 0;
    std::shared_ptr<const void> m_mark; // that the file is revoked
};

} // namespace gufo
