#include "net/page_cache.h"

#include "base/byte_order.h"
#include "base/quick_hash.h"
#include "base/sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace gufo::net {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMagic = 0x3147'5043'4f46'5547; // "GUFOCPG1"
constexpr std::uint64_t kHeadBytes = 32;                // magic, page, length, checksum
constexpr std::uint64_t kLongestPage = 1 << 20;
constexpr std::string_view kSuffix = ".pages";

bool readAt(int file, std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
        const ssize_t got = ::pread(file, out.data(), out.size(), static_cast<off_t>(offset));
        if (got <= 0) {
            if (got < 0 && errno == EINTR) {
                continue;
            }
            return false;
        }
        out = out.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return true;
}

bool writeAt(int file, std::uint64_t offset, Bytes bytes) {
    return writeAll(realFileOperations(), file, offset, bytes).has_value();
}

// Makes a folder that only the user can read. Another user's folder is not used.
bool makePrivateFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return false;
    }
    struct stat status{};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
           ((status.st_mode & 0777) == 0700 || ::chmod(folder.c_str(), 0700) == 0);
}

// Deletes the entries that were opened least recently, except `kept`.
void prune(const fs::path& folder, const fs::path& kept, std::uint64_t limit) {
    struct Entry {
        fs::file_time_type opened;
        fs::path path;
        std::uint64_t bytes = 0;
    };
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code failed;
        const auto bytes = at->path().extension() == kSuffix ? at->file_size(failed) : 0;
        const auto opened = at->last_write_time(failed);
        if (!failed && at->path().extension() == kSuffix) {
            total += bytes;
            entries.push_back({opened, at->path(), bytes});
        }
    }
    std::ranges::sort(entries, {}, &Entry::opened);
    for (const Entry& entry : entries) {
        if (total <= limit) {
            return;
        }
        if (entry.path != kept && fs::remove(entry.path, error)) {
            total -= entry.bytes;
        }
    }
}

} // namespace

fs::path PageCache::userFolder() {
    // NOLINTBEGIN(concurrency-mt-unsafe): no thread changes the environment
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return fs::path(cache) / "gufo" / "remote";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / ".cache" / "gufo" / "remote";
    }
    // NOLINTEND(concurrency-mt-unsafe)
    return {};
}

std::unique_ptr<PageCache> PageCache::open(const fs::path& folder, std::string_view key, CacheLimits limits) {
    if (folder.empty() || !makePrivateFolder(folder)) {
        return nullptr;
    }
    const fs::path path = folder / (hexText(sha256(std::as_bytes(std::span(key)))) + std::string(kSuffix));
    prune(folder, path, limits.totalBytes);
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return nullptr;
    }
    ::futimens(file, nullptr); // now
    std::unique_ptr<PageCache> cache(new PageCache(file, limits));
    if (cache->lockAndCatchUp()) {
        cache->unlock();
    }
    return cache;
}

PageCache::~PageCache() { ::close(m_file); }

// Adds the records from m_end on, up to the first that is not complete.
void PageCache::readRecords(std::uint64_t size) {
    std::array<std::byte, kHeadBytes> head{};
    while (size - m_end >= kHeadBytes && readAt(m_file, m_end, head)) {
        const auto field = [&](std::size_t index) {
            return load<std::uint64_t>(head.data() + 8 * index, ByteOrder::Little);
        };
        const std::uint64_t length = field(2);
        if (field(0) != kMagic || length > kLongestPage || length > size - m_end - kHeadBytes) {
            return;
        }
        m_places.insert_or_assign(field(1), Place{.offset = m_end, .length = length, .checksum = field(3)});
        m_end += kHeadBytes + length;
    }
}

// Locks the entry, reads what other processes have added, and cuts off what one of them did not complete.
bool PageCache::lockAndCatchUp() {
    if (::flock(m_file, LOCK_EX | LOCK_NB) != 0) {
        return false; // another process is adding to it
    }
    struct stat status{};
    if (::fstat(m_file, &status) != 0) {
        unlock();
        return false;
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size < m_end) { // another process has emptied it
        m_end = 0;
        m_places.clear();
    }
    readRecords(size);
    if (size > m_end && ::ftruncate(m_file, static_cast<off_t>(m_end)) != 0) {
        unlock();
        return false;
    }
    return true;
}

void PageCache::unlock() { ::flock(m_file, LOCK_UN); }

bool PageCache::read(std::uint64_t page, std::span<std::byte> out) {
    const auto place = m_places.find(page);
    if (place == m_places.end()) {
        return false;
    }
    const bool isRight = place->second.length == out.size() && readAt(m_file, place->second.offset + kHeadBytes, out) &&
                         quickHash(out, page) == place->second.checksum;
    if (!isRight) {
        m_places.erase(place); // it is fetched and added again
    }
    return isRight;
}

void PageCache::add(std::uint64_t page, Bytes bytes) {
    const std::uint64_t record = kHeadBytes + bytes.size();
    if (has(page) || bytes.size() > kLongestPage || m_end + record > m_limits.entryBytes || !lockAndCatchUp()) {
        return;
    }
    const std::uint64_t checksum = quickHash(bytes, page);
    std::vector<std::byte> whole(record);
    std::size_t field = 0;
    for (const std::uint64_t value : {kMagic, page, static_cast<std::uint64_t>(bytes.size()), checksum}) {
        store(whole.data() + 8 * field++, value, ByteOrder::Little);
    }
    std::ranges::copy(bytes, whole.begin() + kHeadBytes);
    if (m_end + record <= m_limits.entryBytes && writeAt(m_file, m_end, whole)) {
        m_places.insert_or_assign(page, Place{.offset = m_end, .length = bytes.size(), .checksum = checksum});
        m_end += record;
    }
    unlock(); // the next process that locks the entry cuts off an incomplete record
}

} // namespace gufo::net
