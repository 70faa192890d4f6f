#include "hub/file_download.h"

#include "base/detail.h"
#include "base/sha256.h"
#include "base/try.h"
#include "net/content_range.h"

#include <algorithm>
#include <memory>
#include <thread>

namespace gufo::hub {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kSmallestPiece = 8 << 20;
constexpr std::uint64_t kLargestPiece = 64 << 20;
constexpr std::uint64_t kHashedAtOnce = 1 << 20;
constexpr auto kJournalInterval = 10s; // what a crash may cost
// The number of bytes after which the system is asked to begin writing them to the disk. Otherwise it would write at
// the end, when no other work is left to overlap with it.
constexpr std::uint64_t kWrittenTogether = 8 << 20;

bool isPassing(const Error& error) {
    if (error.code == ErrorCode::HttpStatus && !error.args.empty()) {
        const std::string& status = error.args[0].text();
        return status == "408" || status == "429" || status.starts_with('5');
    }
    const bool isCut =
        error.code == ErrorCode::ReplyUnusable && !error.args.empty() && error.args[0].detail() == Detail::ReplyCut;
    return isCut || error.code == ErrorCode::ConnectionFailed;
}

} // namespace

// ---- pieces ---------------------------------------------------------------------------------------------------------

DownloadPieces::DownloadPieces(std::uint64_t bytes, std::uint64_t length, std::span<const ByteRange> present) {
    std::uint64_t at = 0;
    const auto addMissing = [&](std::uint64_t end) {
        while (at < end) {
            const std::uint64_t part = std::min(length, end - at);
            m_pieces.push_back({.range = {at, part}});
            at += part;
        }
    };
    for (const ByteRange& range : present) {
        addMissing(range.offset);
        m_pieces.push_back({.range = range, .done = range.length});
        at = range.offset + range.length;
    }
    addMissing(bytes);
}

std::optional<DownloadPieces::Index> DownloadPieces::take() {
    const std::scoped_lock lock(m_mutex);
    while (m_next < m_pieces.size() && m_pieces[m_next].done == m_pieces[m_next].range.length) {
        ++m_next;
    }
    return m_next < m_pieces.size() ? std::optional(m_next++) : std::nullopt;
}

ByteRange DownloadPieces::missing(Index piece) const {
    const std::scoped_lock lock(m_mutex);
    const Piece& each = m_pieces[piece];
    return {each.range.offset + each.done, each.range.length - each.done};
}

void DownloadPieces::add(Index piece, std::uint64_t bytes) {
    const std::scoped_lock lock(m_mutex);
    m_pieces[piece].done += bytes;
    m_changed.notify_all();
}

std::vector<ByteRange> DownloadPieces::present() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<ByteRange> ranges;
    for (const Piece& piece : m_pieces) {
        const bool continues = !ranges.empty() && ranges.back().offset + ranges.back().length == piece.range.offset;
        if (piece.done > 0 && continues) {
            ranges.back().length += piece.done;
        } else if (piece.done > 0) {
            ranges.push_back({piece.range.offset, piece.done});
        }
    }
    return ranges;
}

std::uint64_t DownloadPieces::presentBytes() const {
    const std::scoped_lock lock(m_mutex);
    std::uint64_t bytes = 0;
    for (const Piece& piece : m_pieces) {
        bytes += piece.done;
    }
    return bytes;
}

std::uint64_t DownloadPieces::completeUpTo(std::uint64_t offset) const {
    auto piece = std::ranges::partition_point(
        m_pieces, [&](const Piece& each) { return each.range.offset + each.range.length <= offset; });
    for (; piece != m_pieces.end(); ++piece) {
        offset = std::max(offset, piece->range.offset + piece->done);
        if (piece->done < piece->range.length) {
            break;
        }
    }
    return offset;
}

std::uint64_t DownloadPieces::awaitMoreThan(std::uint64_t offset, const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    std::uint64_t end = offset;
    m_changed.wait(lock, stop, [&] {
        end = completeUpTo(offset);
        return end > offset;
    });
    return stop.stop_requested() ? offset : end;
}

// ---- the download ---------------------------------------------------------------------------------------------------

FileDownload::FileDownload(net::Client& client, FileOperations& operations, RepositoryFile file,
                           std::filesystem::path path, TransferOptions options)
    : m_client(client)
    , m_operations(operations)
    , m_file(std::move(file))
    , m_path(std::move(path))
    , m_options(options) {}

// ---- what the server has --------------------------------------------------------------------------------------------

Result<std::uint64_t> FileDownload::probe(const JobContext& job) {
    net::Request request = net::requestFor(m_file.url);
    request.timeouts = m_options.timeouts;
    request.headers.push_back({"Range", net::rangeHeader({0, 1})});
    std::optional<Error> problem;
    bool isKnown = false;
    const net::Receiver receiver{
        .head = [&](const net::Reply& head) -> Result<> {
            if (!head.isSuccess()) {
                return {};
            }
            m_etag = head.header("etag");
            m_hasRanges = head.status == 206;
            const auto range = net::parseContentRange(head.header("content-range"));
            if (m_hasRanges && (!range || range->range != ByteRange{0, 1})) {
                return unusable(
                    {Detail::RangeWrong, {net::rangeHeader({0, 1}), std::string(head.header("content-range"))}});
            }
            const auto size = m_hasRanges ? range->fileBytes : net::parseContentLength(head.header("content-length"));
            if (!size) {
                return unusable(Detail::LengthMissing);
            }
            m_size = *size;
            isKnown = true;
            // The body of a server without ranges, which is the whole file, is discarded here.
            return m_hasRanges ? Result<>() : fail(ErrorCode::Cancelled);
        },
    };
    const auto reply = m_client.send(request, receiver, job);
    if (!isKnown || job.stopRequested()) {
        const auto accepted = reply ? net::requireSuccess(*reply) : std::unexpected(reply.error());
        const bool isEmpty = reply && reply->status == 416; // it has no first byte
        return accepted && !isEmpty ? unusable(Detail::LengthMissing)
               : isEmpty            ? std::unexpected(fail(ErrorCode::EmptyFile).error().in(address()))
                                    : std::unexpected(accepted.error());
    }
    if (m_size == 0) {
        return std::unexpected(fail(ErrorCode::EmptyFile).error().in(address()));
    }
    if (m_file.bytes != 0 && m_file.bytes != m_size) {
        return unusable({Detail::SizeDiffers, {m_file.bytes, m_size}});
    }
    return m_size;
}

// ---- the transfer ---------------------------------------------------------------------------------------------------

Result<DownloadedFile> FileDownload::run(const JobContext& job) {
    auto part = GUFO_TRY(openPart());
    const auto journal = resumable();
    const std::vector<ByteRange> resumed = journal ? journal->present : std::vector<ByteRange>();
    m_durable = journal ? journal->durable : std::vector<ByteRange>();
    const std::uint64_t usual = std::clamp(m_size / (4 * m_options.connections), kSmallestPiece, kLargestPiece);
    const std::uint64_t pieceBytes = !m_hasRanges ? m_size : m_options.pieceBytes != 0 ? m_options.pieceBytes : usual;
    DownloadPieces pieces(m_size, pieceBytes, resumed);
    DownloadedFile done{.path = m_path, .bytes = m_size, .resumedBytes = pieces.presentBytes()};
    if (resumed.empty()) {
        (void)m_operations.unlink(journalPath(m_path)); // it belongs to the bytes that are dropped now
        const auto emptied = m_operations.resize(part.get(), 0);
        const auto sized = emptied ? m_operations.resize(part.get(), m_size) : emptied;
        if (!sized) {
            return failed(sized.error());
        }
    }
    job.advance(done.resumedBytes);
    const auto transferred = transfer(pieces, part.get(), job, done.sha256);
    if (!transferred) {
        // The first error matters more than one of the journal, without which the next download starts from the
        // beginning.
        if (pieces.presentBytes() == 0 || !m_hasRanges) {
            discard();
        } else {
            (void)saveJournal(pieces, part.get(), job.stopRequested() ? Durability::Written : Durability::Synced);
        }
        return std::unexpected(transferred.error());
    }
    done.isVerified = !m_file.sha256.empty();
    GUFO_TRY(finish(part, done.sha256));
    return done;
}

// Lets connections and the computation of the digest run until all are done or one fails.
Result<> FileDownload::transfer(DownloadPieces& pieces, int part, const JobContext& job, std::string& sha256) {
    std::mutex mutex; // guards the next three variables
    std::condition_variable_any changed;
    std::optional<Error> problem;
    unsigned running = 0;

    std::stop_source ends;
    const std::stop_callback outer(job.stop, [&] { ends.request_stop(); });
    const JobContext inner{.stop = ends.get_token(), .progress = job.progress};
    const auto report = [&](const Result<>& result) {
        const std::scoped_lock lock(mutex);
        if (!result && !problem) {
            problem = result.error();
            ends.request_stop();
        }
        --running;
        changed.notify_all();
    };
    {
        std::vector<std::jthread> threads;
        const unsigned connections = m_hasRanges ? std::max(1U, m_options.connections) : 1;
        running = connections + 1;
        for (unsigned i = 0; i < connections; ++i) {
            threads.emplace_back([&, i] {
                const auto separate = i == 0 ? nullptr : std::make_unique<net::Client>();
                report(fetchPieces(pieces, separate != nullptr ? *separate : m_client, inner));
            });
        }
        threads.emplace_back([&] {
            auto digest = hash(pieces, ends.get_token());
            sha256 = digest.value_or(std::string());
            report(digest ? Result<>() : std::unexpected(digest.error()));
        });
        std::unique_lock lock(mutex);
        while (!changed.wait_for(lock, kJournalInterval, [&] { return running == 0; })) {
            lock.unlock();
            if (m_hasRanges && !ends.stop_requested()) {
                // What writes the file itself reports a full disk.
                (void)saveJournal(pieces, part, Durability::Synced);
            }
            lock.lock();
        }
    }
    GUFO_TRY(job.check());
    return problem ? std::unexpected(*problem) : Result<>();
}

Result<> FileDownload::fetchPieces(DownloadPieces& pieces, net::Client& client, const JobContext& job) {
    const auto opened = m_operations.open(partPath(m_path), FileOperations::Mode::ReadWrite);
    if (!opened) {
        return failed(opened.error());
    }
    const OpenFile file(m_operations, *opened);
    while (const auto piece = pieces.take()) {
        GUFO_TRY(fetchPiece(pieces, *piece, {client, file.get()}, job));
    }
    return {};
}

Result<> FileDownload::fetchPiece(DownloadPieces& pieces, DownloadPieces::Index piece, const Connection& connection,
                                  const JobContext& job) {
    std::mutex mutex;
    std::condition_variable_any never;
    auto pause = m_options.firstPause;
    for (int retries = 0;;) {
        const std::uint64_t before = pieces.missing(piece).length;
        const auto fetched = fetchOnce(pieces, piece, connection, job);
        const std::uint64_t after = pieces.missing(piece).length;
        if (fetched && after == 0) {
            return {};
        }
        // Without ranges, a transfer cannot continue where it broke off.
        if (!fetched && (!isPassing(fetched.error()) || (!m_hasRanges && after < m_size))) {
            return fetched;
        }
        retries = after < before ? 1 : retries + 1;
        pause = after < before ? m_options.firstPause : pause;
        if (retries > m_options.retries) {
            return fetched ? unusable({Detail::ReplyCut, {m_size - after, m_size}}) : fetched;
        }
        std::unique_lock lock(mutex);
        never.wait_for(lock, job.stop, pause, [&] { return job.stopRequested(); });
        GUFO_TRY(job.check());
        pause *= 2;
    }
}

Result<> FileDownload::fetchOnce(DownloadPieces& pieces, DownloadPieces::Index piece, const Connection& connection,
                                 const JobContext& job) {
    const ByteRange range = pieces.missing(piece);
    net::Request request = net::requestFor(m_file.url);
    request.timeouts = m_options.timeouts;
    request.maxBytes = range.length;
    if (m_hasRanges) {
        request.headers.push_back({"Range", net::rangeHeader(range)});
        if (net::isStrongTag(m_etag)) {
            request.headers.push_back({"If-Range", m_etag});
        }
    }
    std::uint64_t at = range.offset;
    std::uint64_t begun = at; // the system has been asked to write the bytes before this offset
    const net::Receiver receiver{
        .head = [&](const net::Reply& head) { return head.isSuccess() ? checkHead(head, range) : Result<>(); },
        .body = [&](Bytes bytes) -> Result<> {
            if (const auto written = writeAll(m_operations, connection.file, at, bytes); !written) {
                return failed(written.error());
            }
            at += bytes.size();
            if (at - begun >= kWrittenTogether) {
                m_operations.startWriteback(connection.file, begun, at - begun);
                begun = at;
            }
            pieces.add(piece, bytes.size());
            job.advance(bytes.size());
            return {};
        }};
    const auto reply = connection.client.send(request, receiver, job);
    const auto accepted = reply ? net::requireSuccess(*reply) : std::unexpected(reply.error());
    // 416: the range no longer exists, so the file has become shorter.
    return !accepted && reply && reply->status == 416
               ? std::unexpected(Error{ErrorCode::RemoteFileChanged, address(), {}, {}, 0})
               : accepted;
}

Result<> FileDownload::checkHead(const net::Reply& head, ByteRange range) const {
    const auto changed = [&] { return std::unexpected(Error{ErrorCode::RemoteFileChanged, address(), {}, {}, 0}); };
    if (!m_hasRanges) {
        const auto length = net::parseContentLength(head.header("content-length"));
        return length == m_size && head.header("etag") == m_etag ? Result<>() : changed();
    }
    if (head.status != 206) { // If-Range: the file is not the one with the ETag
        return net::isStrongTag(m_etag) ? changed() : unusable(Detail::RangesIgnored);
    }
    const auto got = net::parseContentRange(head.header("content-range"));
    if (head.header("etag") != m_etag || (got && got->fileBytes && *got->fileBytes != m_size)) {
        return changed();
    }
    if (!got || got->range != range) {
        return unusable({Detail::RangeWrong, {net::rangeHeader(range), std::string(head.header("content-range"))}});
    }
    return {};
}

// The SHA-256 of the file, which follows the bytes as they become complete from the beginning.
Result<std::string> FileDownload::hash(DownloadPieces& pieces, const std::stop_token& stop) {
    const auto opened = m_operations.open(partPath(m_path), FileOperations::Mode::Read);
    if (!opened) {
        return failed(opened.error(), ErrorCode::ReadFailed);
    }
    const OpenFile file(m_operations, *opened);
    Sha256 sha;
    std::vector<std::byte> buffer(kHashedAtOnce);
    for (std::uint64_t at = 0; at < m_size;) {
        const std::uint64_t end = pieces.awaitMoreThan(at, stop);
        if (end == at) {
            return fail(ErrorCode::Cancelled);
        }
        while (at < end && !stop.stop_requested()) {
            const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), end - at));
            if (const auto got = readAll(m_operations, file.get(), at, part); !got) {
                return failed(got.error(), ErrorCode::ReadFailed);
            }
            sha.add(part);
            at += part.size();
        }
    }
    return hexText(sha.finish());
}

std::string FileDownload::address() const { return net::shownAddress(m_file.url); }

std::unexpected<Error> FileDownload::unusable(Argument why) const {
    return std::unexpected(Error{ErrorCode::ReplyUnusable, address(), {}, {std::move(why)}, 0});
}

std::unexpected<Error> FileDownload::failed(int errnoValue, ErrorCode code) const {
    return std::unexpected(systemError(errnoValue, m_path, code));
}

} // namespace gufo::hub
