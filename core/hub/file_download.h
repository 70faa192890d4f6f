// Downloads a file to NAME.part, over several connections at once, while its SHA-256 is computed, and renames it when
// it is complete and matches what the hub states. The part file and its journal (NAME.part.json) stay when the download
// is cancelled or fails, and a later download resumes it if the server still has the same file: the SHA-256 that the
// hub states is the same, or the strong ETag.
//
// Every reply must contain exactly the requested range of a file with the size and ETag that the first one stated.
// A transfer that breaks off continues where it ended, a few times with growing pauses.
//
// Threads: run() blocks, so it must not be called on the UI thread.
#pragma once

#include "base/byte_source.h"
#include "base/file_operations.h"
#include "hub/download_journal.h"
#include "hub/repository.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace gufo::hub {

struct DownloadedFile {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::string sha256;             // of the bytes
    bool isVerified = false;        // the hub states the same SHA-256
    std::uint64_t resumedBytes = 0; // that an earlier download had fetched
    bool wasThere = false;          // nothing was fetched: the complete file existed
};

struct TransferOptions {
    unsigned connections = 4;                                       // at least 1
    std::uint64_t pieceBytes = 0;                                   // requested at once; 0: by the size of the file
    int retries = 5;                                                // of a connection, without any byte in between
    std::chrono::milliseconds firstPause = std::chrono::seconds(1); // before a retry; each pause is twice the last
    net::Timeouts timeouts{};
};

// The pieces of a file that is being downloaded. Tracks which connection fetches which piece, which bytes have arrived,
// and how many bytes from the beginning are complete. Connections take pieces in order, so that the digest of the
// beginning can be computed while the rest arrives. Thread-safe.
class DownloadPieces {
public:
    // Divides a file of `bytes` (> 0) into pieces of at most `length` bytes, without the ranges that are `present`.
    DownloadPieces(std::uint64_t bytes, std::uint64_t length, std::span<const ByteRange> present);

    using Index = std::size_t;
    // The next piece that no connection has taken; nothing if there is none.
    [[nodiscard]] std::optional<Index> take();
    // The part of a piece that has not arrived yet, which is its end.
    [[nodiscard]] ByteRange missing(Index piece) const;
    // The next bytes of the piece have been written to the file.
    void add(Index piece, std::uint64_t bytes);

    // The ranges that are in the file, and their length.
    [[nodiscard]] std::vector<ByteRange> present() const;
    [[nodiscard]] std::uint64_t presentBytes() const;

    // Waits until the file is complete up to more than `offset` bytes and returns up to where; returns `offset` if the
    // stop token ends the wait.
    [[nodiscard]] std::uint64_t awaitMoreThan(std::uint64_t offset, const std::stop_token& stop);

private:
    struct Piece {
        ByteRange range;
        std::uint64_t done = 0; // bytes from its beginning
    };
    [[nodiscard]] std::uint64_t completeUpTo(std::uint64_t offset) const; // m_mutex is locked

    mutable std::mutex m_mutex; // guards all members
    std::condition_variable_any m_changed;
    std::vector<Piece> m_pieces; // in order; they cover the file
    std::size_t m_next = 0;      // the first piece that no connection has taken
};

class FileDownload {
public:
    // `path` is the destination; an existing file is replaced when the download is complete.
    FileDownload(net::Client& client, FileOperations& operations, RepositoryFile file, std::filesystem::path path,
                 TransferOptions options);

    // Learns the size and the ETag of the file by requesting one byte. Errors: the errors of Client::send and
    // requireSuccess; EmptyFile; ReplyUnusable (the reply does not contain exactly this byte; Detail::LengthMissing;
    // Detail::SizeDiffers: the hub states another size).
    [[nodiscard]] Result<std::uint64_t> probe(const JobContext& job);

    // After probe(): the space on the disk that run() needs in addition to takenSpace().
    [[nodiscard]] std::uint64_t neededSpace() const;
    // Returns the space on the disk that the part file of a destination takes. A download reuses all of it: bytes that
    // are not resumed are overwritten, or freed before.
    [[nodiscard]] static std::uint64_t takenSpace(FileOperations& operations, const std::filesystem::path& path);

    // After probe(). Advances the progress by the size of the file. Errors: Cancelled; the errors of probe();
    // RemoteFileChanged; DigestMismatch, or ServerReply or LfsPointer if no digest is stated, after which nothing is
    // kept; FileBusy (another process downloads it); WriteFailed and the other errors of files.
    [[nodiscard]] Result<DownloadedFile> run(const JobContext& job);

    [[nodiscard]] static std::filesystem::path partPath(const std::filesystem::path& path);
    [[nodiscard]] static std::filesystem::path journalPath(const std::filesystem::path& path);

private:
    [[nodiscard]] Result<OpenFile> openPart();
    [[nodiscard]] std::optional<DownloadJournal> resumable() const;
    [[nodiscard]] Result<> transfer(DownloadPieces& pieces, int part, const JobContext& job, std::string& sha256);
    // The destination of a connection, and a client that it does not share: the connections of one client share a
    // thread, which would limit their rate.
    struct Connection {
        net::Client& client;
        int file;
    };
    [[nodiscard]] Result<> fetchPieces(DownloadPieces& pieces, net::Client& client, const JobContext& job);
    [[nodiscard]] Result<> fetchPiece(DownloadPieces& pieces, DownloadPieces::Index piece, const Connection& connection,
                                      const JobContext& job);
    [[nodiscard]] Result<> fetchOnce(DownloadPieces& pieces, DownloadPieces::Index piece, const Connection& connection,
                                     const JobContext& job);
    [[nodiscard]] Result<> checkHead(const net::Reply& head, ByteRange range) const;
    [[nodiscard]] Result<std::string> hash(DownloadPieces& pieces, const std::stop_token& stop);
    enum class Durability : std::uint8_t { Written, Synced };
    [[nodiscard]] Result<> saveJournal(const DownloadPieces& pieces, int part, Durability durability);
    [[nodiscard]] Result<> checkContent() const;
    [[nodiscard]] Result<> finish(OpenFile& part, const std::string& sha256);
    void discard();
    [[nodiscard]] std::string address() const;
    [[nodiscard]] std::unexpected<Error> unusable(Argument why) const;
    [[nodiscard]] std::unexpected<Error> failed(int errnoValue, ErrorCode code = ErrorCode::WriteFailed) const;

    net::Client& m_client;
    FileOperations& m_operations;
    const RepositoryFile m_file;
    const std::filesystem::path m_path;
    const TransferOptions m_options;
    // Set by probe().
    std::uint64_t m_size = 0;
    std::string m_etag;
    bool m_hasRanges = false;
    std::vector<ByteRange> m_durable; // ranges of the part file that are certainly on the disk; used by run()
};

} // namespace gufo::hub
