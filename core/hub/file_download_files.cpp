// The files of a download on this computer: the part file, its journal, and the destination.
#include "base/detail.h"
#include "base/mapped_file.h"
#include "formats/container/container.h"
#include "hub/file_download.h"
#include "net/content_range.h"

#include <algorithm>
#include <cerrno>
#include <numeric>

namespace gufo::hub {
namespace {

constexpr std::uint64_t kMaxExtents = 1 << 16; // more are not counted

std::uint64_t lengthOf(std::span<const ByteRange> ranges) {
    return std::accumulate(ranges.begin(), ranges.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const ByteRange& range) { return sum + range.length; });
}

} // namespace

std::filesystem::path FileDownload::partPath(const std::filesystem::path& path) {
    std::filesystem::path part = path;
    part += ".part";
    return part;
}

std::filesystem::path FileDownload::journalPath(const std::filesystem::path& path) {
    std::filesystem::path journal = path;
    journal += ".part.json";
    return journal;
}

Result<OpenFile> FileDownload::openPart() {
    const std::filesystem::path path = partPath(m_path);
    auto opened = m_operations.open(path, FileOperations::Mode::ReadWrite);
    if (!opened && opened.error() == ENOENT) {
        opened = m_operations.open(path, FileOperations::Mode::CreateNew);
    }
    if (!opened) {
        return failed(opened.error());
    }
    OpenFile part(m_operations, *opened);
    const auto locked = m_operations.lock(*opened);
    if (!locked && locked.error() == EWOULDBLOCK) {
        return std::unexpected(Error{ErrorCode::FileBusy, m_path, {}, {}, 0});
    }
    return part;
}

// The journal of the part file, if that belongs to the file that the server has.
std::optional<DownloadJournal> FileDownload::resumable() const {
    auto journal = readJournal(journalPath(m_path));
    const auto status = m_operations.status(partPath(m_path));
    if (!journal || !status || status->size != m_size || journal->bytes != m_size || !m_hasRanges) {
        return std::nullopt;
    }
    const bool isSameDigest = !m_file.sha256.empty() && journal->sha256 == m_file.sha256;
    const bool isSameTag =
        m_file.sha256.empty() && journal->address == address() && net::isStrongTag(m_etag) && journal->etag == m_etag;
    return isSameDigest || isSameTag ? std::move(journal) : std::nullopt;
}

std::uint64_t FileDownload::takenSpace(FileOperations& operations, const std::filesystem::path& path) {
    const auto part = operations.open(partPath(path), FileOperations::Mode::Read);
    if (!part) {
        return 0;
    }
    const OpenFile file(operations, *part);
    const auto extents = operations.extents(file.get(), kMaxExtents, false);
    const auto journal = readJournal(journalPath(path));
    // After a crash, more has been written than the journal says. Not every file system reports extents.
    return std::max(extents ? lengthOf(extents->written) : 0, journal ? lengthOf(journal->present) : 0);
}

std::uint64_t FileDownload::neededSpace() const { return m_size - std::min(takenSpace(m_operations, m_path), m_size); }

// With Durability::Synced, the part file is synced first, so that the journal never promises more than the file has
// after a power cut. That may take seconds, and cancelling a download must not wait for it: with Durability::Written,
// the journal promises the bytes only until the system is restarted.
Result<> FileDownload::saveJournal(const DownloadPieces& pieces, int part, Durability durability) {
    std::vector<ByteRange> present = pieces.present();
    if (durability == Durability::Synced || !restartsAreKnown()) {
        if (const auto synced = m_operations.sync(part); !synced) {
            return failed(synced.error());
        }
        m_durable = present;
    }
    return writeJournal(journalPath(m_path), {.address = address(),
                                              .etag = m_etag,
                                              .sha256 = m_file.sha256,
                                              .bytes = m_size,
                                              .present = std::move(present),
                                              .durable = m_durable});
}

void FileDownload::discard() {
    (void)m_operations.unlink(partPath(m_path)); // nothing can be done about it
    (void)m_operations.unlink(journalPath(m_path));
}

// Where no digest is stated, the page of a login or of an error would be taken for the file.
Result<> FileDownload::checkContent() const {
    const auto part = GUFO_TRY(MappedFile::open(partPath(m_path)));
    const auto start = GUFO_TRY(startOf(*part));
    // The part file's own name says that it is unfinished, so the check is made under the name of the complete file.
    const FileStart complete{.bytes = start.bytes, .fileBytes = start.fileBytes, .path = m_path};
    const auto known = containers();
    const auto container = std::ranges::find_if(known, [&](const Container& row) { return row.recognises(complete); });
    if (container == known.end() || container->refuse == nullptr) {
        return {};
    }
    Error why = container->refuse(complete);
    const bool standsForFile = why.code == ErrorCode::ServerReply || why.code == ErrorCode::LfsPointer;
    return standsForFile ? std::unexpected(std::move(why).in(address())) : Result<>();
}

Result<> FileDownload::finish(OpenFile& part, const std::string& sha256) {
    if (!m_file.sha256.empty() && sha256 != m_file.sha256) {
        discard();
        return std::unexpected(Error{ErrorCode::DigestMismatch, address(), {}, {m_file.sha256, sha256}, 0});
    }
    if (const auto checked = m_file.sha256.empty() ? checkContent() : Result<>(); !checked) {
        discard();
        return checked;
    }
    if (const auto synced = m_operations.sync(part.get()); !synced) {
        return failed(synced.error());
    }
    if (const auto renamed = m_operations.rename(partPath(m_path), m_path); !renamed) {
        return failed(renamed.error());
    }
    (void)m_operations.unlink(journalPath(m_path)); // without its part file it means nothing
    (void)m_operations.syncFolder(m_path.parent_path());
    return {};
}

} // namespace gufo::hub
