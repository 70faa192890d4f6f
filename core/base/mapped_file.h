// A file mapped read-only into memory: a ByteSource that copies nothing and allocates nothing for the contents.
//
// If another process truncates the file while it is mapped, the missing pages read as zeros (mapping_guard.h), so that
// the reader finishes normally and finds the error in damage(). Another one says that another process has written into
// the file (FileChangedOnDisk); only the pages that were kept (kept_pages.h) are then as they were read.
//
// A mapping prevents changing the file in place, because the kernel grants no write lease while a mapping exists in any
// process. Mappings can therefore be revoked for a moment (RevokedMappings). Their views stay valid: views of the
// header keep showing the old bytes, and views of the rest are restored at the same addresses. A thread that reads the
// rest in between gets zeros, and damage() reports it.
#pragma once

#include "base/byte_source.h"
#include "base/kept_pages.h"
#include "base/mapping_guard.h"

#include <atomic>
#include <memory>
#include <sys/stat.h>
#include <vector>

namespace gufo {

// Reads the first bytes of an open file. Errors: FileChangedWhileReading (it has become shorter than `out`),
// ReadFailed.
[[nodiscard]] Result<> readFirstBytes(const std::filesystem::path& path, int descriptor, std::span<std::byte> out);

class MappedFile final : public ByteSource, public PageKeeper, public std::enable_shared_from_this<MappedFile> {
public:
    // The part of a file that is prefetched when it is opened. Without it, the first page fault would make the kernel
    // read ahead by 128 KB to 16 MB, depending on its settings, and a save in place would have to drop those pages
    // again.
    static constexpr std::uint64_t kFetchedFirst = std::uint64_t{128} << 10U;

    // Never blocks on a FIFO. Errors: FileNotFound, PermissionDenied, IsDirectory, NotRegularFile, EmptyFile,
    // ReadFailed, MapFailed.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
    // The same for an open descriptor of that file, whose status is known; the caller closes it. The first `headBytes`
    // bytes are copied, and views within them show the copy. A caller that reads only the header then touches no page
    // of the mapping: the first page fault, and unmapping its pages, take longer than everything else that opening a
    // file needs.
    [[nodiscard]] static Result<std::shared_ptr<const MappedFile>>
    openWithHead(const std::filesystem::path& path, int descriptor, const struct stat& status, std::uint64_t headBytes);

    // Whether this process has the file mapped.
    [[nodiscard]] static bool isOpen(std::uint64_t device, std::uint64_t inode);

    ~MappedFile() override;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    void advise(ByteRange range, Access access) const override;
    [[nodiscard]] std::optional<Error> damage() const override;
    [[nodiscard]] std::optional<std::uint64_t> keep(std::span<const Bytes> views,
                                                    std::uint64_t maxBytes) const override;
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

    [[nodiscard]] std::optional<Identity> identity() const override { return m_identity; }
    // Prevents all mappings of this file in this process from being revoked. Blocks while they are revoked.
    [[nodiscard]] std::shared_ptr<const void> hold() const override;
    [[nodiscard]] bool isHeld() const override;

private:
    friend class RevokedMappings;
    MappedFile() = default;
    [[nodiscard]] static Result<std::shared_ptr<MappedFile>> map(const std::filesystem::path& path, int descriptor,
                                                                 const struct stat& status);
    [[nodiscard]] bool revoke(std::uint64_t keptBytes) const;
    void restore(int file, std::int64_t shift) const;
    [[nodiscard]] std::optional<Error> writtenElsewhere() const;

    std::filesystem::path m_path;
    const std::byte* m_data = nullptr;
    std::uint64_t m_size = 0;
    std::unique_ptr<std::byte[]> m_head; // a copy of the first bytes
    std::uint64_t m_headBytes = 0;
    Identity m_identity;
    std::optional<MappingGuard> m_guard;
    mutable std::atomic<bool> m_lost{false}; // revoked, and could not be restored
    // For a mapping that was revoked: the size of the copy at its front, in whole pages, and how far the rest of the
    // file has moved since it was mapped.
    mutable std::uint64_t m_keptBytes = 0;
    mutable std::int64_t m_shift = 0;
    // The identity that the file has after the last save in place by this process. Guarded by the registry of mappings.
    mutable Identity m_current;
};

// Unmaps a file everywhere in this process for as long as the object lives.
//
// Threads: created and destroyed by one thread, while other threads may continue to read.
class RevokedMappings {
public:
    // The first `keptBytes` bytes, the header, stay readable. Errors: FileBusy if a mapping is held, MapFailed. After
    // an error all mappings are as before.
    [[nodiscard]] static Result<RevokedMappings> revoke(const std::filesystem::path& path,
                                                        const ByteSource::Identity& file, std::uint64_t keptBytes);

    RevokedMappings(RevokedMappings&&) noexcept = default;
    RevokedMappings& operator=(RevokedMappings&&) = delete;
    // Restores the mappings. The lease must have been released, because the file is opened again.
    ~RevokedMappings();

    // Records that the bytes after the header have moved by `shift` bytes. `shift` is a multiple of the page size.
    void setShift(std::int64_t shift) { m_shift = shift; }

private:
    RevokedMappings() = default;

    std::vector<std::shared_ptr<const MappedFile>> m_mappings;
    std::filesystem::path m_path;
    ByteSource::Identity m_file;
    std::int64_t m_shift = 0;
    std::shared_ptr<const void> m_mark; // marks the file as revoked
};

} // namespace gufo
