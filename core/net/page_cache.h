// Pages of a remote file on the disk, so that a file that was looked at before needs no second transfer. Each file has
// an entry, whose key identifies its content (address, size and strong ETag); a changed file has another one.
//
// An entry is a file of records, each a page with its number and checksum. Records are only appended, while the file is
// locked; a page that a killed process left unfinished is cut off, and a page with a wrong checksum counts as absent.
// Failing to write is not an error, because the cache is only an optimisation. Folder and entries can be read by the
// user only.
//
// Threads: one at a time per object. Processes may share a folder.
#pragma once

#include "base/file_operations.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>

namespace gufo::net {

struct CacheLimits {
    std::uint64_t entryBytes = 256 << 20; // of one file; more is not kept
    // Of all entries when one is opened; the least recently opened ones are deleted.
    std::uint64_t totalBytes = std::uint64_t{2} << 30;
};

class PageCache {
public:
    // `$XDG_CACHE_HOME/gufo/remote` or `~/.cache/gufo/remote`; empty if neither is known.
    [[nodiscard]] static std::filesystem::path userFolder();

    // Returns null if the folder cannot be used.
    [[nodiscard]] static std::unique_ptr<PageCache> open(const std::filesystem::path& folder, std::string_view key,
                                                         CacheLimits limits = {});

    PageCache(const PageCache&) = delete;
    PageCache& operator=(const PageCache&) = delete;
    ~PageCache();

    [[nodiscard]] bool has(std::uint64_t page) const { return m_places.contains(page); }
    // Reads a page into `out`, which has the length of the page. Returns false if the entry has no such page.
    [[nodiscard]] bool read(std::uint64_t page, std::span<std::byte> out);
    void add(std::uint64_t page, Bytes bytes);

private:
    struct Place {
        std::uint64_t offset = 0; // of the record
        std::uint64_t length = 0; // of the page
        std::uint64_t checksum = 0;
    };
    PageCache(int file, CacheLimits limits)
        : m_file(file)
        , m_limits(limits) {}
    void readRecords(std::uint64_t size);
    [[nodiscard]] bool lockAndCatchUp();
    void unlock();

    int m_file;
    CacheLimits m_limits;
    std::uint64_t m_end = 0; // of the complete records
    std::unordered_map<std::uint64_t, Place> m_places;
};

} // namespace gufo::net
