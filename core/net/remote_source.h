// A file on a server as a ByteSource. The pages that a view needs are fetched by range requests and kept in a temporary
// file without a name, which is mapped: views are contiguous and stay valid, the system can evict them from memory, and
// the file is deleted with the source. Pages that no view needs are not fetched, except by open().
//
// If the server states a strong ETag, pages are also kept in a cache on the disk (page_cache.h), from which a later
// source takes them; only the first page is fetched again, to learn the ETag.
//
// Every reply must contain exactly the requested range of a file with the size and the ETag that open() received;
// otherwise the view fails, and no byte of the reply is used.
//
// Threads: thread-safe. A view waits for the network, so it must not be requested on the UI thread.
#pragma once

#include "net/http.h"
#include "net/page_cache.h"

#include <atomic>
#include <mutex>

namespace gufo::net {

class RemoteSource final : public ByteSource {
public:
    // In bytes.
    static constexpr std::uint64_t kPage = 64 << 10;
    static constexpr std::uint64_t kFirstFetch = kPage;      // requested by open()
    static constexpr std::uint64_t kLargestWhole = 1 << 20;  // accepted from a server that ignores ranges
    static constexpr std::uint64_t kLongestFetch = 32 << 20; // by one request
    static constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 45;

    // Fetches the first kFirstFetch bytes. `request` holds the address of the file, the token and the timeouts. Without
    // a cache folder, nothing is kept. Errors: the errors of Client::send and requireSuccess; ReplyUnusable, also if
    // the server does not support range requests; EmptyFile; WriteFailed, MapFailed (the temporary file).
    [[nodiscard]] static Result<std::shared_ptr<const RemoteSource>> open(std::shared_ptr<Client> client,
                                                                          Request request, const JobContext& job = {},
                                                                          std::filesystem::path cacheFolder = {});

    RemoteSource(const RemoteSource&) = delete;
    RemoteSource& operator=(const RemoteSource&) = delete;
    ~RemoteSource() override;

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    // A WaitScope of the thread can cancel it. Errors: RangeOutsideFile; RemoteFileChanged; Cancelled; the errors of
    // open().
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    // As view(), but `job` can cancel it.
    [[nodiscard]] Result<Bytes> fetch(ByteRange range, const JobContext& job) const;
    // The address, without its query.
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

    // The number of bytes that a view of the range would have to fetch: whole pages that are not cached. Does not wait
    // for the network, so it may be called on the UI thread.
    [[nodiscard]] std::uint64_t missingBytes(ByteRange range) const;
    // The host that sent the last bytes if redirects led to a host that is not in the address; otherwise empty. Does
    // not wait either.
    [[nodiscard]] std::string redirectedHost() const;
    // The bytes received and the requests sent so far, including failed requests.
    [[nodiscard]] std::uint64_t fetchedBytes() const { return m_fetched; }
    [[nodiscard]] std::uint64_t requests() const { return m_requests; }

private:
    RemoteSource(std::shared_ptr<Client> client, Request request, std::filesystem::path cacheFolder);

    [[nodiscard]] Result<> begin(const JobContext& job);
    [[nodiscard]] Result<> allocate(std::uint64_t size) const;
    void openCache() const;
    [[nodiscard]] Result<> takeCached(std::uint64_t page, std::uint64_t end) const;
    void addToCache(std::uint64_t page, std::uint64_t end) const;
    void show(std::uint64_t page, std::uint64_t end) const;
    [[nodiscard]] ByteRange rangeOf(std::uint64_t page) const;
    [[nodiscard]] Result<> writePart(std::uint64_t offset, Bytes bytes) const;
    [[nodiscard]] Result<> fetchRun(ByteRange run, const JobContext& job) const;
    [[nodiscard]] Result<> request(ByteRange run, const std::string& url, const JobContext& job) const;
    [[nodiscard]] Result<> checkHead(const Reply& head, ByteRange run) const;
    [[nodiscard]] Result<> checkFirstHead(const Reply& head) const;
    [[nodiscard]] std::unexpected<Error> failed(ErrorCode code, Arguments args = {}, int errnoValue = 0) const;

    const std::shared_ptr<Client> m_client;
    const Request m_request;
    const std::filesystem::path m_path;
    const std::filesystem::path m_cacheFolder;
    // Set by open() and constant from then on.
    mutable std::uint64_t m_size = 0;
    mutable std::string m_etag; // empty if the server sends none
    mutable int m_file = -1;
    mutable const std::byte* m_data = nullptr;

    mutable std::mutex m_mutex;                 // guards the next three members; held while bytes are fetched
    mutable std::unique_ptr<PageCache> m_cache; // null: there is none
    mutable std::vector<bool> m_hasPage;        // the pages that the temporary file contains
    mutable std::string m_direct; // the address after the redirects of the last request; empty if it failed
    // Figures that can be read without waiting for m_mutex.
    struct Shown {
        std::vector<bool> isAtHand; // the pages that are in the temporary file or in the cache
        std::string redirectedHost;
    };
    mutable std::mutex m_shownMutex; // guards m_shown, and is held only for moments
    mutable Shown m_shown;
    mutable std::atomic<std::uint64_t> m_fetched = 0;
    mutable std::atomic<std::uint64_t> m_requests = 0;
};

} // namespace gufo::net
