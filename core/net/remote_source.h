// A file on a server as a ByteSource. What a view needs is fetched by range requests, in pages, and kept in a temporary
// file without a name, which is mapped: views are contiguous and stay valid, the system can evict them from memory, and
// nothing remains when the source is destroyed. Bytes that were not asked for are not fetched.
//
// Every reply must be exactly the range that was asked for, of a file of the same size and with the same ETag as at the
// beginning; otherwise the view is an error and no byte of the reply is shown.
//
// Threads: thread-safe. A view may wait for the network, so it does not belong on the UI thread.
#pragma once

#include "net/http.h"

#include <atomic>
#include <mutex>

namespace gufo::net {

class RemoteSource final : public ByteSource {
public:
    static constexpr std::uint64_t kPage = 64 << 10;         // the unit that is fetched
    static constexpr std::uint64_t kFirstFetch = 1 << 20;    // what open() asks for
    static constexpr std::uint64_t kLongestFetch = 32 << 20; // of one request
    static constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 45;

    // Fetches the first kFirstFetch bytes. `request` says where the file is, with which token, and how long to wait.
    // Errors: those of Client::send and requireSuccess; ReplyUnusable, also if the server does not send parts of files;
    // EmptyFile; WriteFailed, MapFailed (the temporary file).
    [[nodiscard]] static Result<std::shared_ptr<const RemoteSource>> open(std::shared_ptr<Client> client,
                                                                          Request request, const JobContext& job = {});

    RemoteSource(const RemoteSource&) = delete;
    RemoteSource& operator=(const RemoteSource&) = delete;
    ~RemoteSource() override;

    [[nodiscard]] std::uint64_t size() const override { return m_size; }
    // Errors: RangeOutsideFile; RemoteFileChanged; those of open().
    [[nodiscard]] Result<Bytes> view(ByteRange range) const override;
    // As view(), and can be cancelled.
    [[nodiscard]] Result<Bytes> fetch(ByteRange range, const JobContext& job) const;
    // The address, without its query.
    [[nodiscard]] const std::filesystem::path& path() const override { return m_path; }

    // What of a range is still to be fetched, rounded to pages.
    [[nodiscard]] std::uint64_t missingBytes(ByteRange range) const;
    [[nodiscard]] std::uint64_t fetchedBytes() const { return m_fetched; }
    [[nodiscard]] std::uint64_t requests() const { return m_requests; }

private:
    RemoteSource(std::shared_ptr<Client> client, Request request);

    [[nodiscard]] Result<> begin(const JobContext& job);
    [[nodiscard]] Result<> allocate(std::uint64_t size) const;
    [[nodiscard]] Result<> fetchRun(ByteRange run, const JobContext& job) const;
    [[nodiscard]] Result<> request(ByteRange run, const std::string& url, const JobContext& job) const;
    [[nodiscard]] Result<> checkHead(const Reply& head, ByteRange run) const;
    [[nodiscard]] Result<> checkFirstHead(const Reply& head) const;
    [[nodiscard]] std::unexpected<Error> failed(ErrorCode code, Arguments args = {}, int errnoValue = 0) const;

    const std::shared_ptr<Client> m_client;
    const Request m_request;
    const std::filesystem::path m_path;
    // Set by open() and constant from then on.
    mutable std::uint64_t m_size = 0;
    mutable std::string m_etag; // empty if the server sends none
    mutable int m_file = -1;
    mutable const std::byte* m_data = nullptr;

    mutable std::mutex m_mutex;          // guards what follows; held while bytes are fetched
    mutable std::vector<bool> m_hasPage; // which pages are in the file
    mutable std::string m_direct;        // where the last request was redirected to
    mutable std::atomic<std::uint64_t> m_fetched = 0;
    mutable std::atomic<std::uint64_t> m_requests = 0;
};

} // namespace gufo::net
