#include "base/kept_pages.h"

#include "base/detail.h"
#include "base/file_operations.h"
#include "base/mapping_guard.h"

#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo {
namespace {

// Views that are closer together share a copy, because the system limits the number of mappings of a process.
constexpr std::uint64_t kJoinedGap = std::uint64_t{64} << 10U;

// The pages that views touch, in order and joined.
std::vector<ByteRange> touchedPages(const std::byte* mapped, std::uint64_t size, std::span<const Bytes> views) {
    std::vector<ByteRange> ranges;
    const auto begin = reinterpret_cast<std::uintptr_t>(mapped);
    for (const Bytes view : views) {
        const auto address = reinterpret_cast<std::uintptr_t>(view.data());
        if (view.empty() || address < begin || address - begin >= size) {
            continue;
        }
        const std::uint64_t first = (address - begin) / pageSize() * pageSize();
        ranges.push_back({first, pagesUp(address - begin + view.size()) - first});
    }
    std::ranges::sort(ranges, {}, &ByteRange::offset);
    std::vector<ByteRange> joined;
    for (const ByteRange& range : ranges) {
        const std::uint64_t end = joined.empty() ? 0 : joined.back().offset + joined.back().length;
        if (joined.empty() || range.offset > end + kJoinedGap) {
            joined.push_back(range);
        } else {
            joined.back().length = std::max(end, range.offset + range.length) - joined.back().offset;
        }
    }
    return joined;
}

} // namespace

bool copyPages(int memory, const std::byte* mapped, ByteRange range) {
    for (std::uint64_t at = range.offset; at < range.offset + range.length;) {
        const ssize_t written = pwrite(memory, mapped + at, range.offset + range.length - at, static_cast<off_t>(at));
        if (written <= 0) { // EFAULT, if the file has been shortened
            return false;
        }
        at += static_cast<std::uint64_t>(written);
    }
    return true;
}

std::optional<std::uint64_t> keepPages(const std::byte* mapped, std::uint64_t size, std::span<const Bytes> views,
                                       std::uint64_t maxBytes) {
    const std::vector<ByteRange> ranges = touchedPages(mapped, size, views);
    std::uint64_t bytes = 0;
    for (const ByteRange& range : ranges) {
        bytes += range.length;
    }
    if (ranges.empty()) {
        return 0;
    }
    if (bytes > maxBytes) {
        return std::nullopt;
    }
    const OpenFile memory(realFileOperations(), memfd_create("gufo-pages", MFD_CLOEXEC));
    const std::uint64_t end = ranges.back().offset + ranges.back().length;
    if (memory.get() < 0 || ftruncate(memory.get(), static_cast<off_t>(end)) != 0) {
        return std::nullopt;
    }
    for (const ByteRange& range : ranges) {
        if (!copyPages(memory.get(), mapped, {range.offset, std::min(range.length, size - range.offset)})) {
            return std::nullopt;
        }
    }
    // A shared mapping, because Access::Release would drop the contents of a private one.
    for (const ByteRange& range : ranges) {
        if (mmap(const_cast<std::byte*>(mapped) + range.offset, range.length, PROT_READ, MAP_SHARED | MAP_FIXED,
                 memory.get(), static_cast<off_t>(range.offset)) == MAP_FAILED) {
            return std::nullopt;
        }
    }
    return bytes;
}

std::optional<Error> writtenSince(const std::filesystem::path& path, const ByteSource::Identity& opened) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0 || status.st_dev != opened.device || status.st_ino != opened.inode) {
        return std::nullopt;
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size < opened.size) { // as if a missing page had been touched already
        return Error{ErrorCode::FileChangedWhileReading, path, {}, {}, 0};
    }
    const std::int64_t modified = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec;
    return size != opened.size || modified != opened.modified ? std::optional(overwritten(path)) : std::nullopt;
}

Error overwritten(const std::filesystem::path& path) {
    return {ErrorCode::FileChangedOnDisk, path, {}, {Detail::OpenedFile}, 0};
}

} // namespace gufo
