#include "base/mapped_file.h"

#include "base/file_operations.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo {

namespace {

// The mappings of this process by file, and how many holders keep them from being revoked. Signal handlers must not use
// it.
struct Registry {
    struct File {
        std::vector<const MappedFile*> mappings;
        int holds = 0;
        bool revoked = false;
    };
    std::mutex mutex;
    std::condition_variable restored;
    std::map<std::pair<std::uint64_t, std::uint64_t>, File> files; // by device and inode
};
Registry& registry() {
    // It is never destroyed, because a global object of the program may hold a file until the program ends.
    static Registry& registry = *new Registry;
    return registry;
}

ByteSource::Identity identityOf(const struct stat& status) {
    return {.device = status.st_dev,
            .inode = status.st_ino,
            .size = static_cast<std::uint64_t>(status.st_size),
            .modified = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
}
std::pair<std::uint64_t, std::uint64_t> keyOf(const ByteSource::Identity& file) { return {file.device, file.inode}; }

} // namespace

Result<> readFirstBytes(const std::filesystem::path& path, int descriptor, std::span<std::byte> out) {
    const auto read = readAll(realFileOperations(), descriptor, 0, out);
    if (!read && read.error() == ENODATA) { // another process has truncated the file
        return std::unexpected(Error{ErrorCode::FileChangedWhileReading, path, {}, {}, 0});
    }
    return read ? Result<>() : std::unexpected(systemError(read.error(), path));
}

bool MappedFile::isOpen(std::uint64_t device, std::uint64_t inode) {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().files.find({device, inode});
    return found != registry().files.end() && !found->second.mappings.empty();
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    // O_NONBLOCK: otherwise opening a FIFO that has no writer would block indefinitely.
    const OpenFile file(realFileOperations(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) {
        return std::unexpected(systemError(errno, path));
    }
    struct stat status{};
    if (fstat(file.get(), &status) != 0) {
        return std::unexpected(systemError(errno, path));
    }
    auto mapped = map(path, file.get(), status);
    if (mapped && (*mapped)->size() > kFetchedFirst) { // the first page fault of a smaller file fetches no more than it
        (*mapped)->advise({0, kFetchedFirst}, Access::WillNeed);
    }
    return mapped;
}

Result<std::shared_ptr<const MappedFile>> MappedFile::openWithHead(const std::filesystem::path& path, int descriptor,
                                                                   const struct stat& status, std::uint64_t headBytes) {
    auto mapped = GUFO_TRY(map(path, descriptor, status));
    MappedFile& file = *mapped;
    const std::uint64_t bytes = std::min(headBytes, file.m_size);
    file.m_head = std::make_unique_for_overwrite<std::byte[]>(bytes);
    file.m_headBytes = bytes;
    GUFO_TRY(readFirstBytes(path, descriptor, std::span(file.m_head.get(), bytes)));
    return mapped;
}

Result<std::shared_ptr<MappedFile>> MappedFile::map(const std::filesystem::path& path, int descriptor,
                                                    const struct stat& status) {
    const auto refuse = [&](ErrorCode code) { return std::unexpected(Error{code, path, {}, {}, 0}); };
    if (S_ISDIR(status.st_mode)) {
        return refuse(ErrorCode::IsDirectory);
    }
    if (!S_ISREG(status.st_mode)) {
        return refuse(ErrorCode::NotRegularFile);
    }
    if (status.st_size == 0) {
        return refuse(ErrorCode::EmptyFile);
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) {
        return std::unexpected(systemError(errno, path, ErrorCode::MapFailed));
    }
    std::shared_ptr<MappedFile> mapped(new MappedFile);
    mapped->m_path = path;
    mapped->m_data = static_cast<const std::byte*>(data);
    mapped->m_size = size;
    mapped->m_identity = identityOf(status);
    mapped->m_current = mapped->m_identity;
    mapped->m_guard.emplace(mapped->m_data, size);
    const std::lock_guard lock(registry().mutex);
    registry().files[keyOf(mapped->m_identity)].mappings.push_back(mapped.get());
    return mapped;
}

MappedFile::~MappedFile() {
    {
        const std::lock_guard lock(registry().mutex);
        const auto entry = registry().files.find(keyOf(m_identity));
        std::erase(entry->second.mappings, this);
        if (entry->second.mappings.empty() && entry->second.holds == 0 && !entry->second.revoked) {
            registry().files.erase(entry);
        }
    }
    m_guard.reset(); // before the address can belong to another mapping
    munmap(const_cast<std::byte*>(m_data), m_size);
}

Result<Bytes> MappedFile::view(ByteRange range) const {
    if (!fits(range, m_size)) {
        return std::unexpected(
            fail(ErrorCode::RangeOutsideFile, Place::atOffset(range.offset), {range.offset, range.length, m_size})
                .error()
                .in(m_path));
    }
    const bool isInHead = range.offset + range.length <= m_headBytes;
    return Bytes((isInHead ? m_head.get() : m_data) + range.offset, range.length);
}

void MappedFile::advise(ByteRange range, Access access) const {
    if (!fits(range, m_size) || range.length == 0) {
        return;
    }
    std::uint64_t begin = range.offset / pageSize() * pageSize();
    std::uint64_t end = range.offset + range.length;
    int advice = MADV_NORMAL;
    switch (access) {
    case Access::Sequential:
        advice = MADV_SEQUENTIAL;
        break;
    case Access::Random:
        advice = MADV_RANDOM;
        break;
    case Access::WillNeed:
        advice = MADV_WILLNEED;
        break;
    case Access::Release:
        // Only whole pages are released: another range may share the first and last ones.
        advice = MADV_DONTNEED;
        begin = pagesUp(range.offset);
        end = end / pageSize() * pageSize();
        break;
    }
    if (begin < end) {
        madvise(const_cast<std::byte*>(m_data) + begin, end - begin, advice);
    }
}

std::optional<Error> MappedFile::damage() const {
    if (m_lost.load(std::memory_order_acquire) || m_guard->damaged()) {
        return Error{ErrorCode::FileChangedWhileReading, m_path, {}, {}, 0};
    }
    return writtenElsewhere();
}

std::optional<std::uint64_t> MappedFile::keep(std::span<const Bytes> views, std::uint64_t maxBytes) const {
    const auto held = hold(); // a save in place must not replace the same pages meanwhile
    return keepPages(m_data, m_size, views, maxBytes);
}

// Saves in place by this process are no reason: they keep the tensor data, and the header has been copied.
std::optional<Error> MappedFile::writtenElsewhere() const {
    const auto current = [this]() -> std::optional<Identity> {
        const std::lock_guard lock(registry().mutex);
        return registry().files[keyOf(m_identity)].revoked ? std::nullopt : std::optional(m_current);
    };
    // Asked again, because a save may have ended between the two questions.
    std::optional<Error> change;
    for (int tries = 0; tries < 2; ++tries) {
        const auto known = current();
        change = known ? writtenSince(m_path, *known) : std::nullopt;
        if (!change) {
            return std::nullopt;
        }
    }
    return change;
}

std::shared_ptr<const void> MappedFile::hold() const {
    Registry& all = registry();
    std::unique_lock lock(all.mutex);
    Registry::File& file = all.files[keyOf(m_identity)]; // the entry exists as long as this mapping
    all.restored.wait(lock, [&] { return !file.revoked; });
    ++file.holds;
    return {&file, [self = shared_from_this()](const void*) {
                const std::lock_guard releasing(registry().mutex);
                --registry().files[keyOf(self->m_identity)].holds;
            }};
}

bool MappedFile::isHeld() const {
    const std::lock_guard lock(registry().mutex);
    return registry().files[keyOf(m_identity)].holds != 0;
}

// Maps a memory file over the mapping. It is only as long as the kept bytes, so that touching anything beyond them
// raises SIGBUS and the handler records the damage.
bool MappedFile::revoke(std::uint64_t keptBytes) const {
    // The size that the header had when the file was mapped.
    const std::uint64_t header = keptBytes - static_cast<std::uint64_t>(m_shift);
    const std::uint64_t kept = std::min(std::max(pagesUp(header), m_keptBytes), pagesUp(m_size));
    const OpenFile memory(realFileOperations(), memfd_create("gufo-header", MFD_CLOEXEC));
    if (memory.get() < 0 || ftruncate(memory.get(), static_cast<off_t>(kept)) != 0) {
        return false;
    }
    if (!copyPages(memory.get(), m_data, {0, std::min(kept, m_size)})) {
        return false;
    }
    if (mmap(const_cast<std::byte*>(m_data), m_size, PROT_READ, MAP_SHARED | MAP_FIXED, memory.get(), 0) ==
        MAP_FAILED) {
        return false;
    }
    m_keptBytes = kept;
    return true;
}

void MappedFile::restore(int file, std::int64_t shift) const {
    if (m_keptBytes >= m_size) {
        return; // the whole file was copied
    }
    void* rest = const_cast<std::byte*>(m_data) + m_keptBytes;
    m_shift += shift;
    const auto offset = static_cast<off_t>(m_keptBytes) + m_shift;
    const bool mapped =
        file >= 0 && mmap(rest, m_size - m_keptBytes, PROT_READ, MAP_SHARED | MAP_FIXED, file, offset) != MAP_FAILED;
    if (!mapped) {
        m_lost.store(true, std::memory_order_release);
    }
}

Result<RevokedMappings> RevokedMappings::revoke(const std::filesystem::path& path, const ByteSource::Identity& file,
                                                std::uint64_t keptBytes) {
    RevokedMappings revoked;
    revoked.m_path = path;
    revoked.m_file = file;
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto entry = all.files.find(keyOf(file));
    if (entry == all.files.end()) {
        return revoked;
    }
    if (entry->second.holds != 0 || entry->second.revoked) {
        return fail(ErrorCode::FileBusy);
    }
    for (const MappedFile* mapping : entry->second.mappings) {
        auto living = mapping->weak_from_this().lock();
        if (living != nullptr && !living->revoke(keptBytes)) {
            const OpenFile again(realFileOperations(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
            for (const auto& other : revoked.m_mappings) {
                other->restore(again.get(), 0);
            }
            revoked.m_mappings.clear();
            return fail(ErrorCode::MapFailed);
        }
        if (living != nullptr) {
            revoked.m_mappings.push_back(std::move(living));
        }
    }
    entry->second.revoked = true;
    revoked.m_mark = {&entry->second, [file](const void*) {
                          const std::lock_guard releasing(registry().mutex);
                          registry().files[keyOf(file)].revoked = false;
                          registry().restored.notify_all();
                      }};
    return revoked;
}

RevokedMappings::~RevokedMappings() {
    if (m_mappings.empty()) {
        return;
    }
    const OpenFile file(realFileOperations(), ::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status{};
    const bool same = file.get() >= 0 && fstat(file.get(), &status) == 0 && status.st_dev == m_file.device &&
                      status.st_ino == m_file.inode;
    for (const auto& mapping : m_mappings) {
        mapping->restore(same ? file.get() : -1, m_shift);
    }
    if (same) {
        const std::lock_guard lock(registry().mutex);
        for (const auto& mapping : m_mappings) {
            mapping->m_current = identityOf(status);
        }
    }
    m_mark.reset(); // before the mappings, because m_mappings may hold their last references
    m_mappings.clear();
}

} // namespace gufo
