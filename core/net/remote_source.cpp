#include "net/remote_source.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/wait_scope.h"
#include "net/content_range.h"

#include <QUrl>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace gufo::net {
namespace {

// Creates a file of mode 0600 that is deleted when it is closed. Errors: WriteFailed.
Result<int> openTemporary() {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    folder = error ? std::filesystem::path("/tmp") : folder;
    int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (file < 0) { // not every file system supports O_TMPFILE
        std::string name = (folder / "gufo-XXXXXX").native();
        file = ::mkostemp(name.data(), O_CLOEXEC);
        if (file >= 0) {
            ::unlink(name.c_str());
        }
    }
    if (file < 0) {
        return std::unexpected(systemError(errno, folder, ErrorCode::WriteFailed));
    }
    return file;
}

// Whether a signed address may have expired, so that the original address should be asked again.
bool mayBeExpired(const Error& error) {
    if (error.code != ErrorCode::HttpStatus || error.args.empty()) {
        return false;
    }
    const std::string& status = error.args[0].text();
    return status == "400" || status == "401" || status == "403" || status == "404" || status == "410";
}

} // namespace

RemoteSource::RemoteSource(std::shared_ptr<Client> client, Request request, std::filesystem::path cacheFolder)
    : m_client(std::move(client))
    , m_request(std::move(request))
    , m_path(shownAddress(m_request.url))
    , m_cacheFolder(std::move(cacheFolder)) {}

RemoteSource::~RemoteSource() {
    if (m_data != nullptr) {
        ::munmap(const_cast<std::byte*>(m_data), m_size); // NOLINT(cppcoreguidelines-pro-type-const-cast): as mapped
    }
    if (m_file >= 0) {
        ::close(m_file);
    }
}

Result<std::shared_ptr<const RemoteSource>> RemoteSource::open(std::shared_ptr<Client> client, Request request,
                                                               const JobContext& job,
                                                               std::filesystem::path cacheFolder) {
    std::shared_ptr<RemoteSource> source(
        new RemoteSource(std::move(client), std::move(request), std::move(cacheFolder)));
    GUFO_TRY(source->begin(job));
    return source;
}

Result<> RemoteSource::begin(const JobContext& job) {
    const std::scoped_lock lock(m_mutex);
    const auto fetched = request({0, kFirstFetch}, m_request.url, job);
    if (fetched) {
        openCache();
    }
    return fetched;
}

// The key contains everything that identifies the content of the file.
void RemoteSource::openCache() const {
    if (!m_cacheFolder.empty() && isStrongTag(m_etag)) {
        m_cache = PageCache::open(m_cacheFolder, m_path.native() + '\n' + std::to_string(m_size) + '\n' + m_etag);
    }
    const std::scoped_lock lock(m_shownMutex);
    for (std::uint64_t page = 0; m_cache != nullptr && page < m_shown.isAtHand.size(); ++page) {
        m_shown.isAtHand[page] = m_shown.isAtHand[page] || m_cache->has(page);
    }
}

ByteRange RemoteSource::rangeOf(std::uint64_t page) const {
    return {page * kPage, std::min(kPage, m_size - page * kPage)};
}

// Copies cached pages of [page, end) to the temporary file.
Result<> RemoteSource::takeCached(std::uint64_t page, std::uint64_t end) const {
    std::vector<std::byte> bytes;
    for (; m_cache != nullptr && page < end; ++page) {
        if (m_hasPage[page] || !m_cache->has(page)) {
            continue;
        }
        bytes.resize(rangeOf(page).length);
        if (m_cache->read(page, bytes)) {
            GUFO_TRY(writePart(page * kPage, bytes));
            m_hasPage[page] = true;
        }
    }
    return {};
}

void RemoteSource::addToCache(std::uint64_t page, std::uint64_t end) const {
    for (; m_cache != nullptr && page < end; ++page) {
        const ByteRange range = rangeOf(page);
        m_cache->add(page, Bytes(m_data + range.offset, range.length));
    }
}

// Errors: WriteFailed.
Result<> RemoteSource::writePart(std::uint64_t offset, Bytes bytes) const {
    const auto written = writeAll(realFileOperations(), m_file, offset, bytes);
    return written ? Result<>() : failed(ErrorCode::WriteFailed, {}, written.error());
}

Result<Bytes> RemoteSource::view(ByteRange range) const { return fetch(range, {.stop = WaitScope::current()}); }

Result<Bytes> RemoteSource::fetch(ByteRange range, const JobContext& job) const {
    if (!fits(range, m_size)) {
        auto error = failed(ErrorCode::RangeOutsideFile, {range.offset, range.length, m_size});
        error.error().place = Place::atOffset(range.offset);
        return error;
    }
    if (range.length != 0) {
        const std::scoped_lock lock(m_mutex);
        const std::uint64_t end = (range.offset + range.length - 1) / kPage + 1;
        GUFO_TRY(takeCached(range.offset / kPage, end));
        for (std::uint64_t page = range.offset / kPage; page < end;) {
            std::uint64_t behind = page;
            while (behind < end && !m_hasPage[behind] && (behind - page) * kPage < kLongestFetch) {
                ++behind;
            }
            if (behind > page) {
                const std::uint64_t from = page * kPage;
                GUFO_TRY(fetchRun({from, std::min(behind * kPage, m_size) - from}, job));
            }
            page = std::max(behind, page + 1);
        }
    }
    return Bytes(m_data + range.offset, range.length);
}

std::uint64_t RemoteSource::missingBytes(ByteRange range) const {
    if (range.length == 0 || !fits(range, m_size)) {
        return 0;
    }
    const std::scoped_lock lock(m_shownMutex);
    std::uint64_t missing = 0;
    for (std::uint64_t page = range.offset / kPage; page * kPage < range.offset + range.length; ++page) {
        missing += m_shown.isAtHand[page] ? 0 : rangeOf(page).length;
    }
    return missing;
}

std::string RemoteSource::redirectedHost() const {
    const std::scoped_lock lock(m_shownMutex);
    return m_shown.redirectedHost;
}

Result<> RemoteSource::fetchRun(ByteRange run, const JobContext& job) const {
    // The address to which the last request was redirected saves a round trip for as long as it is valid.
    const std::string direct = std::exchange(m_direct, {});
    if (!direct.empty() && direct != m_request.url) {
        const auto got = request(run, direct, job);
        if (got || !mayBeExpired(got.error())) {
            return got;
        }
    }
    return request(run, m_request.url, job);
}

// Fetches a range into the temporary file. Its pages are marked as present only when all of them have arrived.
Result<> RemoteSource::request(ByteRange run, const std::string& url, const JobContext& job) const {
    Request part = m_request;
    part.url = url;
    if (url != m_request.url) {
        part.token = Secret(); // a redirect may have led to another host
    }
    part.headers.push_back({"Range", rangeHeader(run)});
    part.maxBytes = kLongestFetch;
    std::uint64_t at = run.offset;
    ++m_requests;
    const auto reply =
        m_client->send(part,
                       {.head = [&](const Reply& head) -> Result<> {
                            const bool isFirst = m_data == nullptr;
                            const auto checked = head.isSuccess() ? checkHead(head, run) : Result<>();
                            if (isFirst && checked && head.status != 206) {
                                run.length = m_size; // a short file from a server that ignores ranges
                            }
                            return checked;
                        },
                        .body = [&](Bytes piece) -> Result<> {
                            if (piece.size() > std::min(run.offset + run.length, m_size) - at) {
                                return fail(ErrorCode::ReplyUnusable, {}, {{Detail::ReplyTooLong, {run.length}}});
                            }
                            GUFO_TRY(writePart(at, piece));
                            at += piece.size();
                            m_fetched += piece.size();
                            return {};
                        }},
                       job);
    const auto accepted = reply ? requireSuccess(*reply) : std::unexpected(reply.error());
    if (!accepted) {
        // 416: the range no longer exists, so the file has become shorter.
        return reply && reply->status == 416 && m_size != 0 ? failed(ErrorCode::RemoteFileChanged) : accepted;
    }
    const std::uint64_t end = std::min(run.offset + run.length, m_size);
    if (at != end) {
        return failed(ErrorCode::ReplyUnusable, {{Detail::ReplyCut, {at - run.offset, end - run.offset}}});
    }
    std::fill(m_hasPage.begin() + static_cast<std::ptrdiff_t>(run.offset / kPage),
              m_hasPage.begin() + static_cast<std::ptrdiff_t>((end - 1) / kPage + 1), true);
    addToCache(run.offset / kPage, (end - 1) / kPage + 1);
    m_direct = reply->url;
    show(run.offset / kPage, (end - 1) / kPage + 1);
    return {};
}

// Publishes that the pages [page, end) have arrived.
void RemoteSource::show(std::uint64_t page, std::uint64_t end) const {
    const QString host = QUrl(QString::fromStdString(m_direct)).host();
    const bool isOther = host != QUrl(QString::fromStdString(m_request.url)).host();
    const std::scoped_lock lock(m_shownMutex);
    std::fill(m_shown.isAtHand.begin() + static_cast<std::ptrdiff_t>(page),
              m_shown.isAtHand.begin() + static_cast<std::ptrdiff_t>(end), true);
    m_shown.redirectedHost = isOther ? host.toStdString() : std::string();
}

Result<> RemoteSource::checkHead(const Reply& head, ByteRange run) const {
    if (m_data == nullptr) {
        return checkFirstHead(head);
    }
    if (head.status != 206) {
        return failed(ErrorCode::ReplyUnusable, {Detail::RangesIgnored});
    }
    const std::string_view etag = head.header("etag");
    const auto got = parseContentRange(head.header("content-range"));
    if (etag != m_etag || (got && got->fileBytes && *got->fileBytes != m_size)) {
        return failed(ErrorCode::RemoteFileChanged);
    }
    if (!got || got->range != run) {
        return failed(ErrorCode::ReplyUnusable,
                      {{Detail::RangeWrong, {rangeHeader(run), std::string(head.header("content-range"))}}});
    }
    return {};
}

// The first reply states the size of the file. A server that does not support ranges sends the whole file, which is
// accepted if it is short.
Result<> RemoteSource::checkFirstHead(const Reply& head) const {
    std::uint64_t size = 0;
    if (head.status == 206) {
        const auto got = parseContentRange(head.header("content-range"));
        if (got && !got->fileBytes) {
            return failed(ErrorCode::ReplyUnusable, {Detail::LengthMissing});
        }
        if (!got || got->range != ByteRange{0, std::min(kFirstFetch, *got->fileBytes)}) {
            return failed(
                ErrorCode::ReplyUnusable,
                {{Detail::RangeWrong, {rangeHeader({0, kFirstFetch}), std::string(head.header("content-range"))}}});
        }
        size = *got->fileBytes;
    } else {
        const auto length = parseContentLength(head.header("content-length"));
        if (!length) {
            return failed(ErrorCode::ReplyUnusable, {Detail::LengthMissing});
        }
        size = *length;
        if (size == 0) {
            return failed(ErrorCode::EmptyFile);
        }
        if (size > kLargestWhole) {
            return failed(ErrorCode::ReplyUnusable, {Detail::RangesIgnored});
        }
    }
    if (size > kLargestFile) {
        return failed(ErrorCode::ReplyUnusable, {{Detail::RemoteFileTooLarge, {size, kLargestFile}}});
    }
    m_etag = head.header("etag");
    return allocate(size);
}

// Creates and maps the temporary file. It is sparse, so its size takes only address space.
Result<> RemoteSource::allocate(std::uint64_t size) const {
    m_file = GUFO_TRY(openTemporary());
    if (::ftruncate(m_file, static_cast<off_t>(size)) != 0) {
        return failed(ErrorCode::WriteFailed, {}, errno);
    }
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, m_file, 0);
    if (data == MAP_FAILED) {
        return failed(ErrorCode::MapFailed, {}, errno);
    }
    m_data = static_cast<const std::byte*>(data);
    m_size = size;
    m_hasPage.assign((size - 1) / kPage + 1, false);
    const std::scoped_lock lock(m_shownMutex);
    m_shown.isAtHand = m_hasPage;
    return {};
}

std::unexpected<Error> RemoteSource::failed(ErrorCode code, Arguments args, int errnoValue) const {
    return std::unexpected(Error{code, m_path, {}, std::move(args), errnoValue});
}

} // namespace gufo::net
