#include "formats/save/new_file_writer.h"

#include "base/detail.h"
#include "base/part_file.h"
#include "base/quick_hash.h"
#include "base/try.h"
#include "formats/save/journal.h"
#include "formats/save/saving.h"
#include "formats/save/undo.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace gufo::saving {
namespace {

using Mode = FileOperations::Mode;

constexpr std::uint64_t kPiece = 16 << 20;                          // bytes between checks of the stop token
constexpr std::uint64_t kBetweenChecks = std::uint64_t{256} << 20U; // bytes between checks of the sources

} // namespace

Result<> NewFileWriter::create() {
    auto part = createPartFile(m_operations, m_new.path.parent_path());
    if (!part) {
        return failed(part.error());
    }
    m_file = std::move(part->file);
    m_temporary = std::move(part->path);
    return {};
}

// Called before any data is written: a user who may not read the old file must not be able to read the new one.
Result<> NewFileWriter::copyAttributes() {
    const auto old = m_operations.open(m_new.path, Mode::Read);
    if (!old) {
        return std::unexpected(systemError(old.error(), m_new.path));
    }
    const OpenFile opened(m_operations, *old);
    if (const auto copied = m_operations.copyAttributes(*old, m_file.get()); !copied) {
        return std::unexpected(Error{ErrorCode::AttributesNotKept, m_new.path, {}, {}, copied.error()});
    }
    return {};
}

Result<> NewFileWriter::write() {
    if (const auto space = m_operations.freeSpace(m_new.path.parent_path());
        space && !m_new.clone && *space < m_new.size) {
        return std::unexpected(Error{ErrorCode::NoSpace, m_new.path, {}, {m_new.size, *space}, 0});
    }
    GUFO_TRY(checkUnchanged());
    GUFO_TRY(create());
    GUFO_TRY(m_new.replaces ? copyAttributes() : Result<>());
    for (const DataPiece& piece : m_new.pieces) {
        GUFO_TRY(m_new.clone ? clonePiece(piece) : copyPiece(piece));
    }
    GUFO_TRY(writeBytes(0, m_new.header));
    if (const auto sized = m_operations.resize(m_file.get(), m_new.size); !sized) {
        return failed(sized.error());
    }
    GUFO_TRY(m_job.check());
    // With delayed allocation, a full disk is reported only here.
    if (const auto synced = m_operations.sync(m_file.get()); !synced) {
        return failed(synced.error());
    }
    return {};
}

Result<> NewFileWriter::writeBytes(std::uint64_t offset, Bytes bytes) {
    if (const auto put = writeAll(m_operations, m_file.get(), offset, bytes); !put) {
        return failed(put.error());
    }
    return advance(bytes.size());
}

Result<> NewFileWriter::advance(std::uint64_t bytes) {
    m_new.written += bytes;
    m_job.advance(bytes);
    m_unchecked += bytes;
    if (m_unchecked < kBetweenChecks) {
        return {};
    }
    m_unchecked = 0;
    return checkSources();
}

Result<> NewFileWriter::checkSources() {
    const ByteSource* last = nullptr;
    for (const DataPiece& piece : m_new.pieces) {
        if (piece.source.get() == last) {
            continue;
        }
        last = piece.source.get();
        GUFO_TRY(checkSource(m_operations, *last, piece.use));
    }
    return {};
}

Result<> NewFileWriter::checkUnchanged() {
    if (m_new.replaced) {
        const auto status = m_operations.status(m_new.path);
        if (!status || status->identity() != *m_new.replaced) {
            return std::unexpected(Error{ErrorCode::FileChangedOnDisk, m_new.path, {}, {}, 0});
        }
    }
    return checkSources();
}

std::optional<int> NewFileWriter::sourceFile(const ByteSource& source) {
    if (m_source == &source) {
        return m_sourceFile.get() >= 0 ? std::optional(m_sourceFile.get()) : std::nullopt;
    }
    m_source = &source;
    m_sourceFile.reset();
    const auto handle = m_operations.open(source.path(), Mode::Read);
    if (!handle) {
        return std::nullopt;
    }
    m_sourceFile = OpenFile(m_operations, *handle);
    const auto status = m_operations.status(*handle);
    const auto identity = source.identity();
    const bool same = status && status->size == source.size() && (!identity || status->identity() == *identity);
    if (!same) {
        m_sourceFile.reset();
        return std::nullopt;
    }
    return m_sourceFile.get();
}

// Clones whole blocks, beginning with the one in which the data starts. The header then overwrites the front of that
// block.
Result<> NewFileWriter::clonePiece(const DataPiece& piece) {
    const auto from = sourceFile(*piece.source);
    const auto status = from ? m_operations.status(*from) : std::unexpected(ENOENT);
    int error = status ? 0 : status.error();
    if (status) {
        const std::uint64_t before = piece.range.offset % status->blockSize;
        const auto cloned =
            m_operations.cloneRange(*from, piece.range.offset - before, m_file.get(), piece.offset - before, 0);
        error = cloned ? 0 : cloned.error();
    }
    if (error == 0) {
        return {};
    }
    return std::unexpected(
        Error{ErrorCode::StrategyImpossible,
              m_new.path,
              {},
              {std::string(strategyName(SaveStrategy::Clone)), std::string(reasonName(SaveReason::CannotClone))},
              error});
}

// Copies within the kernel as far as possible and returns the number of bytes copied. Gives EOPNOTSUPP or the like if
// the kernel cannot copy at all.
SystemResult<std::uint64_t> NewFileWriter::copyRange(int from, const DataPiece& piece) {
    std::uint64_t done = 0;
    while (done < piece.range.length) {
        if (m_job.stopRequested()) {
            return std::unexpected(ECANCELED);
        }
        const std::uint64_t part = std::min(kPiece, piece.range.length - done);
        const auto copied =
            m_operations.copyRange(from, piece.range.offset + done, m_file.get(), piece.offset + done, part);
        if (!copied || *copied == 0) {
            const bool unsupported = copied || copied.error() == EXDEV || copied.error() == EINVAL ||
                                     copied.error() == EOPNOTSUPP || copied.error() == ENOSYS;
            return unsupported ? SystemResult<std::uint64_t>(done) : std::unexpected(copied.error());
        }
        m_operations.startWriteback(m_file.get(), piece.offset + done, *copied);
        done += *copied;
        if (!advance(*copied)) {
            return std::unexpected(ESTALE); // copyPiece() finds the reason
        }
    }
    return done;
}

Result<> NewFileWriter::copyPiece(const DataPiece& piece) {
    Result<> copied;
    if (piece.hash && piece.swapped) {
        copied = hashBefore(piece);
        copied = copied ? copyUnhashed(piece) : copied;
    } else {
        copied = piece.hash ? copyHashed(piece) : copyUnhashed(piece);
    }
    if (copied || copied.error().code == ErrorCode::Cancelled) {
        return copied;
    }
    // Writing from a mapping whose file was shortened fails like writing from an invalid address.
    GUFO_TRY(checkSources());
    if (copied.error().systemError == EFAULT) {
        return std::unexpected(Error{ErrorCode::FileChangedWhileReading, piece.source->path(), {}, {}, 0});
    }
    return copied;
}

Result<> NewFileWriter::checkHash(const DataPiece& piece, std::uint64_t hash) const {
    if (const auto damage = piece.source->damage()) {
        return std::unexpected(*damage);
    }
    if (hash == *piece.hash) {
        return {};
    }
    return std::unexpected(Error{ErrorCode::FileChangedOnDisk,
                                 piece.source->path(),
                                 Place::tensor(std::string(piece.tensor)),
                                 {Detail::ImportSource},
                                 0});
}

// Hashes the same copy of the bytes that it writes.
Result<> NewFileWriter::copyHashed(const DataPiece& piece) {
    PieceHash hash;
    std::vector<std::byte> buffer(std::min(kHashPiece, piece.range.length));
    for (std::uint64_t at = 0; at < piece.range.length; at += kHashPiece) {
        GUFO_TRY(m_job.check());
        const ByteRange range{piece.range.offset + at, std::min(kHashPiece, piece.range.length - at)};
        const auto bytes = GUFO_TRY(piece.source->view(range));
        std::ranges::copy(bytes, buffer.begin());
        const Bytes part = std::span(buffer).first(range.length);
        hash.add(part);
        GUFO_TRY(writeBytes(piece.offset + at, part));
        m_operations.startWriteback(m_file.get(), piece.offset + at, part.size());
        piece.source->advise(range, Access::Release);
    }
    return checkHash(piece, hash.value());
}

// For a piece whose byte order changes, which is not written as it is read.
Result<> NewFileWriter::hashBefore(const DataPiece& piece) {
    PieceHash hash;
    for (std::uint64_t at = 0; at < piece.range.length; at += kHashPiece) {
        GUFO_TRY(m_job.check());
        const auto bytes =
            GUFO_TRY(piece.source->view({piece.range.offset + at, std::min(kHashPiece, piece.range.length - at)}));
        hash.add(bytes);
    }
    return checkHash(piece, hash.value());
}

Result<> NewFileWriter::copyUnhashed(const DataPiece& piece) {
    ByteRange range = piece.range;
    std::uint64_t to = piece.offset;
    const auto from = piece.swapped ? std::nullopt : sourceFile(*piece.source);
    if (from) {
        const auto copied = copyRange(*from, piece);
        if (!copied) {
            return copied.error() == ECANCELED ? fail(ErrorCode::Cancelled) : failed(copied.error());
        }
        range = {range.offset + *copied, range.length - *copied};
        to += *copied;
    }
    if (range.length == 0) {
        return {};
    }
    const auto bytes = GUFO_TRY(piece.source->view(range));
    const std::uint64_t start = to;
    const auto put = [&](Bytes part) -> Result<> {
        GUFO_TRY(writeBytes(to, part));
        m_operations.startWriteback(m_file.get(), to, part.size());
        // These pages are not needed again. Those of the header, at the front of the file, are.
        piece.source->advise({range.offset + (to - start), part.size()}, Access::Release);
        to += part.size();
        return {};
    };
    GUFO_TRY(passTensor(bytes, piece.swapped, put, m_job));
    if (const auto damage = piece.source->damage()) {
        return std::unexpected(*damage);
    }
    return {};
}

Result<RenameEntry> NewFileWriter::renameEntry() {
    const auto status = m_operations.status(m_file.get());
    if (!status) {
        return failed(status.error());
    }
    auto samples = takeSamples(m_operations, m_file.get(), std::array{ByteRange{0, status->size}});
    if (!samples) {
        return failed(samples.error());
    }
    return RenameEntry{m_temporary.filename().native(), m_new.path.filename().native(), status->inode, status->size,
                       *std::move(samples)};
}

SystemResult<> NewFileWriter::rename() {
    auto renamed = m_operations.rename(m_temporary, m_new.path);
    if (renamed) {
        m_temporary.clear();
    }
    return renamed;
}

} // namespace gufo::saving
