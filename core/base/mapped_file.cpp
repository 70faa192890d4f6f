#include "base/mapped_file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo {
namespace {

// The handler may only touch lock-free atomics, so mappings stand in a fixed array. A mapping that finds no slot still
// works; it only loses the protection.
struct MappingSlot {
    std::atomic<bool> used = false;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> damaged = false;
};
constexpr int kMaxMappings = 1024;
std::array<MappingSlot, kMaxMappings> g_mappings;
struct sigaction g_previousAction;
std::uintptr_t g_pageSize = 4096;

void onBusError(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (MappingSlot& slot : g_mappings) {
        if (address < slot.begin.load(std::memory_order_acquire) ||
            address >= slot.end.load(std::memory_order_acquire)) {
            continue;
        }
        const int savedErrno = errno;
        void* page = reinterpret_cast<void*>(address & ~(g_pageSize - 1));
        void* mapped = mmap(page, g_pageSize, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        errno = savedErrno;
        if (mapped != MAP_FAILED) {
            slot.damaged.store(true, std::memory_order_release);
            return;
        }
    }
    // Not ours: as if this handler did not exist.
    if ((g_previousAction.sa_flags & SA_SIGINFO) != 0 && g_previousAction.sa_sigaction != nullptr) {
        g_previousAction.sa_sigaction(signal, info, context);
    } else {
        sigaction(signal, &g_previousAction, nullptr);
        raise(signal);
    }
}

void installBusErrorHandler() {
    static std::once_flag once;
    std::call_once(once, [] {
        g_pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        struct sigaction action{};
        action.sa_sigaction = onBusError;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &g_previousAction);
    });
}

int claimSlot(const std::byte* data, std::uint64_t size) {
    for (int i = 0; i < kMaxMappings; ++i) {
        bool expected = false;
        if (g_mappings[i].used.compare_exchange_strong(expected, true)) {
            const auto begin = reinterpret_cast<std::uintptr_t>(data);
            g_mappings[i].damaged.store(false);
            g_mappings[i].end.store(begin + size);
            g_mappings[i].begin.store(begin, std::memory_order_release);
            return i;
        }
    }
    return -1;
}

void freeSlot(int slot) {
    if (slot < 0) {
        return;
    }
    g_mappings[slot].end.store(0);
    g_mappings[slot].begin.store(0);
    g_mappings[slot].used.store(false, std::memory_order_release);
}

// Closes a descriptor when the scope ends.
struct FileDescriptor {
    int fd;
    ~FileDescriptor() {
        if (fd >= 0) {
            close(fd);
        }
    }
};

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a FIFO without a writer would wait for ever.
    const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0) {
        return std::unexpected(systemError(errno, path));
    }
    struct stat status{};
    if (fstat(file.fd, &status) != 0) {
        return std::unexpected(systemError(errno, path));
    }
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
    installBusErrorHandler();
    const auto size = static_cast<std::uint64_t>(status.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.fd, 0);
    if (data == MAP_FAILED) {
        return std::unexpected(systemError(errno, path, ErrorCode::MapFailed));
    }
    std::shared_ptr<MappedFile> mapped(new MappedFile);
    mapped->m_path = path;
    mapped->m_data = static_cast<const std::byte*>(data);
    mapped->m_size = size;
    mapped->m_identity = {.device = status.st_dev,
                          .inode = status.st_ino,
                          .size = size,
                          .modified = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
    mapped->m_slot = claimSlot(mapped->m_data, size);
    return mapped;
}

MappedFile::~MappedFile() {
    freeSlot(m_slot);
    munmap(const_cast<std::byte*>(m_data), m_size);
}

Result<Bytes> MappedFile::view(ByteRange range) const {
    if (!fits(range, m_size)) {
        return std::unexpected(
            fail(ErrorCode::RangeOutsideFile, Place::atOffset(range.offset),
                 {std::to_string(range.offset), std::to_string(range.length), std::to_string(m_size)})
                .error()
                .in(m_path));
    }
    return Bytes(m_data + range.offset, range.length);
}

void MappedFile::advise(ByteRange range, Access access) const {
    if (!fits(range, m_size) || range.length == 0) {
        return;
    }
    std::uint64_t begin = range.offset / g_pageSize * g_pageSize;
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
        // Only whole pages: a neighbour may still be reading the shared ones.
        advice = MADV_DONTNEED;
        begin = (range.offset + g_pageSize - 1) / g_pageSize * g_pageSize;
        end = end / g_pageSize * g_pageSize;
        break;
    }
    if (begin < end) {
        madvise(const_cast<std::byte*>(m_data) + begin, end - begin, advice);
    }
}

std::optional<Error> MappedFile::damage() const {
    if (m_slot < 0 || !g_mappings[m_slot].damaged.load(std::memory_order_acquire)) {
        return std::nullopt;
    }
    return Error{ErrorCode::FileChangedWhileReading, m_path, {}, {}, 0};
}

} // namespace gufo
