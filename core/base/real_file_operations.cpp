#include "base/file_operations.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <memory>
#include <string>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace gufo {
namespace {

std::unexpected<int> failed() { return std::unexpected(errno); }
SystemResult<> check(int result) { return result == 0 ? SystemResult<>() : failed(); }

// Repeats a system call while a signal interrupts it.
template<typename Call>
auto retried(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) {
        result = call();
    }
    return result;
}

FileStatus statusOf(const struct stat& status) {
    return {.device = status.st_dev,
            .inode = status.st_ino,
            .size = static_cast<std::uint64_t>(status.st_size),
            .modified = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec,
            .links = status.st_nlink,
            .mode = status.st_mode & 07777U,
            .blockSize = static_cast<std::uint32_t>(status.st_blksize),
            .regular = S_ISREG(status.st_mode),
            .directory = S_ISDIR(status.st_mode)};
}

// The magic numbers of linux/magic.h, which lacks some of them. F2FS can insert ranges too, but a power cut leaves
// blocks beyond the end of the file where nothing can find them again.
struct FileSystemRow {
    std::uint64_t magic;
    FileOperations::Abilities abilities;
};
constexpr auto kFileSystems = std::to_array<FileSystemRow>({
    {0xEF53, {.insertsRanges = true}},                           // ext4
    {0x58465342, {.insertsRanges = true, .sharesBlocks = true}}, // XFS
    {0x9123683E, {.sharesBlocks = true}},                        // Btrfs
    {0xCA451A4E, {.sharesBlocks = true}},                        // bcachefs
});

// The kernel sends this signal when another process wants to open a leased file. The default, SIGIO, would end the
// process, so a real-time signal is sent to the saving thread instead, which blocks and discards it. The other process
// waits for the few milliseconds that a save takes.
int leaseSignal() { return SIGRTMIN + 7; }

class RealFileOperations final : public FileOperations {
public:
    SystemResult<Path> resolve(const Path& path) override {
        std::error_code error;
        const Path resolved = std::filesystem::canonical(path, error);
        return error ? SystemResult<Path>(std::unexpected(error.value())) : resolved;
    }
    SystemResult<FileStatus> status(const Path& path) override {
        struct stat status{};
        return ::stat(path.c_str(), &status) == 0 ? SystemResult<FileStatus>(statusOf(status)) : failed();
    }
    SystemResult<> checkWritableFile(const Path& path) override {
        return check(::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS));
    }
    SystemResult<> checkWritableFolder(const Path& folder) override {
        return check(::faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK | X_OK, AT_EACCESS));
    }
    SystemResult<std::uint64_t> freeSpace(const Path& folder) override {
        struct statvfs space{};
        if (::statvfs(folder.empty() ? "." : folder.c_str(), &space) != 0) {
            return failed();
        }
        return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
    }
    Abilities abilities(const Path& path) override {
        struct statfs system{};
        if (::statfs(path.c_str(), &system) != 0) {
            return {};
        }
        const auto* row =
            std::ranges::find(kFileSystems, static_cast<std::uint64_t>(system.f_type), &FileSystemRow::magic);
        return row != kFileSystems.end() ? row->abilities : Abilities();
    }

    SystemResult<int> open(const Path& path, Mode mode) override {
        int flags = O_CLOEXEC | O_NONBLOCK;
        flags |= mode == Mode::Read ? O_RDONLY : O_RDWR;
        flags |= mode == Mode::CreateNew ? O_CREAT | O_EXCL : 0;
        const int file = retried([&] { return ::open(path.c_str(), flags, 0666); });
        return file >= 0 ? SystemResult<int>(file) : failed();
    }
    SystemResult<int> openUnnamed(const Path& folder) override {
        const char* name = folder.empty() ? "." : folder.c_str();
        const int file = retried([&] { return ::open(name, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); });
        return file >= 0 ? SystemResult<int>(file) : failed();
    }
    void close(int file) override { ::close(file); }
    SystemResult<FileStatus> status(int file) override {
        struct stat status{};
        return ::fstat(file, &status) == 0 ? SystemResult<FileStatus>(statusOf(status)) : failed();
    }

    SystemResult<std::size_t> read(int file, std::uint64_t offset, std::span<std::byte> out) override {
        const ssize_t got = retried([&] { return ::pread(file, out.data(), out.size(), static_cast<off_t>(offset)); });
        return got >= 0 ? SystemResult<std::size_t>(static_cast<std::size_t>(got)) : failed();
    }
    SystemResult<std::size_t> write(int file, std::uint64_t offset, Bytes bytes) override {
        const ssize_t put =
            retried([&] { return ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
        return put >= 0 ? SystemResult<std::size_t>(static_cast<std::size_t>(put)) : failed();
    }
    SystemResult<std::uint64_t> copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                          std::uint64_t length) override {
        auto in = static_cast<off64_t>(fromOffset);
        auto out = static_cast<off64_t>(toOffset);
        const ssize_t copied = retried([&] { return ::copy_file_range(from, &in, to, &out, length, 0); });
        return copied >= 0 ? SystemResult<std::uint64_t>(static_cast<std::uint64_t>(copied)) : failed();
    }
    SystemResult<> cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                              std::uint64_t length) override {
        file_clone_range range{};
        range.src_fd = from;
        range.src_offset = fromOffset;
        range.src_length = length;
        range.dest_offset = toOffset;
        return check(::ioctl(to, FICLONERANGE, &range));
    }
    SystemResult<> resize(int file, std::uint64_t size) override {
        return check(retried([&] { return ::ftruncate(file, static_cast<off_t>(size)); }));
    }
    SystemResult<> setModified(int file, std::int64_t time) override {
        constexpr std::int64_t kSecond = 1'000'000'000;
        const std::int64_t part = (time % kSecond + kSecond) % kSecond; // times before 1970 are negative
        const timespec modified{.tv_sec = (time - part) / kSecond, .tv_nsec = part};
        return check(
            ::futimens(file, std::to_array<timespec>({{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, modified}).data()));
    }
    SystemResult<> insertRange(int file, std::uint64_t offset, std::uint64_t length) override {
        return check(::fallocate(file, FALLOC_FL_INSERT_RANGE, static_cast<off_t>(offset), static_cast<off_t>(length)));
    }
    SystemResult<> collapseRange(int file, std::uint64_t offset, std::uint64_t length) override {
        return check(
            ::fallocate(file, FALLOC_FL_COLLAPSE_RANGE, static_cast<off_t>(offset), static_cast<off_t>(length)));
    }
    SystemResult<FileExtents> extents(int file, std::uint64_t limit, bool settled) override;
    void startWriteback(int file, std::uint64_t offset, std::uint64_t length) override {
        ::sync_file_range(file, static_cast<off64_t>(offset), static_cast<off64_t>(length), SYNC_FILE_RANGE_WRITE);
    }
    SystemResult<> sync(int file) override { return check(::fsync(file)); }
    SystemResult<> copyAttributes(int from, int to) override;

    SystemResult<> rename(const Path& from, const Path& to) override {
        return check(::rename(from.c_str(), to.c_str()));
    }
    SystemResult<> unlink(const Path& path) override { return check(::unlink(path.c_str())); }
    SystemResult<> syncFolder(const Path& folder) override {
        const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (file < 0) {
            return failed();
        }
        const SystemResult<> synced = check(::fsync(file));
        ::close(file);
        return synced;
    }

    SystemResult<> lock(int file) override { return check(::flock(file, LOCK_EX | LOCK_NB)); }
    SystemResult<> takeLease(int file) override;
    void releaseLease(int file) override;
    bool isOpenElsewhere(const Path& path, const FileStatus& file) override { return otherProcessHasOpen(path, file); }
};

SystemResult<> copyOwnerAndMode(int from, int to) {
    struct stat source{};
    struct stat target{};
    if (::fstat(from, &source) != 0 || ::fstat(to, &target) != 0) {
        return failed();
    }
    const bool sameOwner = source.st_uid == target.st_uid && source.st_gid == target.st_gid;
    if (!sameOwner && ::fchown(to, source.st_uid, source.st_gid) != 0) {
        return failed();
    }
    return check(::fchmod(to, source.st_mode & 07777U)); // last, because fchown() clears set-user-ID
}

SystemResult<> copyExtendedAttributes(int from, int to) {
    const ssize_t listBytes = ::flistxattr(from, nullptr, 0);
    if (listBytes < 0) {
        return errno == ENOTSUP ? SystemResult<>() : failed();
    }
    std::string names(static_cast<std::size_t>(listBytes), '\0');
    const ssize_t listed = ::flistxattr(from, names.data(), names.size());
    if (listed < 0) {
        return failed();
    }
    names.resize(static_cast<std::size_t>(listed));
    std::vector<char> value;
    for (const char* name = names.data(); name < names.data() + names.size(); name += std::strlen(name) + 1) {
        const ssize_t bytes = ::fgetxattr(from, name, nullptr, 0);
        if (bytes < 0) {
            return failed();
        }
        value.resize(static_cast<std::size_t>(bytes));
        const ssize_t got = ::fgetxattr(from, name, value.data(), value.size());
        if (got < 0) {
            return failed();
        }
        if (::fsetxattr(to, name, value.data(), static_cast<std::size_t>(got), 0) == 0) {
            continue;
        }
        // The system labels new files itself, and only an administrator may set these attributes.
        const std::string_view text(name);
        const bool systems = text.starts_with("security.") || text.starts_with("trusted.");
        if (!systems || (errno != EPERM && errno != EACCES && errno != ENOTSUP)) {
            return failed();
        }
    }
    return {};
}

SystemResult<FileExtents> RealFileOperations::extents(int file, std::uint64_t limit, bool settled) {
    constexpr std::uint32_t kAtOnce = 256;
    struct Request { // a fiemap ends with a flexible array
        alignas(struct fiemap) std::byte bytes[sizeof(struct fiemap) + kAtOnce * sizeof(fiemap_extent)];
    };
    auto request = std::make_unique<Request>();
    auto* map = reinterpret_cast<struct fiemap*>(request->bytes);
    const auto ask = [&](std::uint64_t start, std::uint32_t room) {
        std::memset(map, 0, sizeof(struct fiemap)); // clang accepts no initialiser for a flexible array
        map->fm_start = start;
        map->fm_length = FIEMAP_MAX_OFFSET - start;
        map->fm_flags = settled ? FIEMAP_FLAG_SYNC : 0U;
        map->fm_extent_count = room;
        return ::ioctl(file, FS_IOC_FIEMAP, map) == 0;
    };
    FileExtents all;
    const auto* found = reinterpret_cast<const fiemap_extent*>(request->bytes + sizeof(struct fiemap));
    for (std::uint64_t start = 0;;) {
        if (!ask(start, kAtOnce)) {
            return failed();
        }
        all.count += map->fm_mapped_extents;
        if (all.count > limit) { // only the count is wanted
            return ask(0, 0) ? SystemResult<FileExtents>({.count = map->fm_mapped_extents, .written = {}}) : failed();
        }
        for (const fiemap_extent& extent : std::span(found, map->fm_mapped_extents)) {
            start = extent.fe_logical + extent.fe_length;
            if ((extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) != 0) {
                continue;
            }
            const ByteRange* last = all.written.empty() ? nullptr : &all.written.back();
            if (last != nullptr && last->offset + last->length == extent.fe_logical) {
                all.written.back().length += extent.fe_length;
            } else {
                all.written.push_back({extent.fe_logical, extent.fe_length});
            }
        }
        if (map->fm_mapped_extents < kAtOnce) {
            return all;
        }
    }
}

SystemResult<> RealFileOperations::copyAttributes(int from, int to) {
    const auto extended = copyExtendedAttributes(from, to); // before the mode, which may forbid setting them
    return extended ? copyOwnerAndMode(from, to) : extended;
}

SystemResult<> RealFileOperations::takeLease(int file) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, leaseSignal());
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    const f_owner_ex owner{F_OWNER_TID, ::gettid()};
    const auto call = [&] {
        return ::fcntl(file, F_SETSIG, leaseSignal()) == 0 && ::fcntl(file, F_SETOWN_EX, &owner) == 0 &&
               ::fcntl(file, F_SETLEASE, F_WRLCK) == 0;
    };
    if (call()) {
        return {};
    }
    const int error = errno;
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    return std::unexpected(error);
}

void RealFileOperations::releaseLease(int file) {
    ::fcntl(file, F_SETLEASE, F_UNLCK);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, leaseSignal());
    const timespec none{};
    while (::sigtimedwait(&signals, nullptr, &none) >= 0) {
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

} // namespace

FileOperations& realFileOperations() {
    static RealFileOperations operations;
    return operations;
}

} // namespace gufo
