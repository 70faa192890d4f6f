#include "formats/save/in_place.h"

#include "base/mapped_file.h"
#include "base/quick_hash.h"
#include "formats/save/journal_file.h"
#include "formats/save/probe.h"
#include "formats/save/undo.h"

#include <algorithm>
#include <cerrno>
#include <limits>

namespace gufo::saving {
namespace {

using Mode = FileOperations::Mode;

// A file that is about to be changed.
struct OpenedFile {
    PlannedFile* planned = nullptr;
    OpenFile handle;
    bool leased = false;
    UndoEntry entry;
    std::vector<std::vector<std::byte>> oldBytes; // the storage that the entry's ranges view
    std::vector<ByteRange> writes;                // ranges of the new header
};

class InPlace {
public:
    InPlace(std::span<PlannedFile> files, FileOperations& operations, const JobContext& job)
        : m_planned(files)
        , m_operations(operations)
        , m_job(job) {}
    ~InPlace() { release(); }
    InPlace(const InPlace&) = delete;
    InPlace& operator=(const InPlace&) = delete;

    Result<std::optional<NotInPlace>> run();

private:
    Result<std::optional<NotInPlace>> take(PlannedFile& planned);
    Result<> prepare(OpenedFile& file);
    Result<> keepOld(OpenedFile& file, ByteRange range);
    SystemResult<> change();
    Result<> undoAll(int error);
    void release();

    std::span<PlannedFile> m_planned;
    FileOperations& m_operations;
    const JobContext& m_job;
    std::vector<RevokedMappings> m_revoked;
    std::vector<OpenedFile> m_files;
    std::optional<JournalFile> m_journal;
    bool m_cannotShift = false;
};

std::unexpected<Error> failedWith(int error, const std::filesystem::path& path) {
    return std::unexpected(Error{ErrorCode::WriteFailed, path, {}, {}, error});
}

// Gets exclusive access to the file.
Result<std::optional<NotInPlace>> InPlace::take(PlannedFile& planned) {
    const auto& path = planned.plan.path;
    auto revoked = RevokedMappings::revoke(path, planned.status.identity(), planned.oldDataOffset);
    if (!revoked) {
        return NotInPlace{SaveReason::OpenInThisProcess, {}};
    }
    m_revoked.push_back(*std::move(revoked));
    const auto handle = m_operations.open(path, Mode::ReadWrite);
    if (!handle) {
        Error error = systemError(handle.error(), path);
        error.code = error.code == ErrorCode::PermissionDenied ? ErrorCode::FileNotWritable : error.code;
        return std::unexpected(std::move(error));
    }
    OpenedFile& file = m_files.emplace_back();
    file.planned = &planned;
    file.handle = OpenFile(m_operations, *handle);
    if (const auto lease = m_operations.takeLease(*handle); !lease) {
        const int error = lease.error();
        return NotInPlace{error == EAGAIN                     ? SaveReason::OpenElsewhere
                          : error == EACCES || error == EPERM ? SaveReason::NotOwner
                                                              : SaveReason::NoLease,
                          {}};
    }
    file.leased = true;
    const auto status = m_operations.status(*handle);
    if (!status || status->identity() != planned.status.identity()) {
        return std::unexpected(Error{ErrorCode::FileChangedOnDisk, path, {}, {}, 0});
    }
    return std::nullopt;
}

// Returns what the save leaves as it is: the tensor data, or, if there are none, the rest of the header (such a file is
// never shifted).
std::vector<ByteRange> untouchedRanges(const OpenedFile& file, std::uint64_t dataEnd) {
    const UndoEntry& entry = file.entry;
    if (entry.oldDataOffset < dataEnd || entry.shift != 0) {
        return {{entry.oldDataOffset, dataEnd - std::min(entry.oldDataOffset, dataEnd)}};
    }
    std::vector<ByteRange> untouched;
    std::uint64_t end = startBytes(entry.mark); // of what was considered
    const std::uint64_t last = std::min(entry.oldSize, entry.newSize);
    const auto add = [&](std::uint64_t until) {
        if (end < until) {
            untouched.push_back({end, until - end});
        }
    };
    for (const ByteRange& range : file.writes) {
        add(std::min(range.offset, last));
        end = std::max(end, range.offset + range.length);
    }
    add(last);
    return untouched;
}

Result<> InPlace::keepOld(OpenedFile& file, ByteRange range) {
    std::vector<std::byte>& bytes = file.oldBytes.emplace_back(range.length);
    if (const auto read = readAll(m_operations, file.handle.get(), range.offset, bytes); !read) {
        return failedWith(read.error(), file.planned->plan.path);
    }
    file.entry.ranges.push_back({range.offset, bytes});
    return {};
}

// Determines what will be written and what the journal has to keep for it.
Result<> InPlace::prepare(OpenedFile& file) {
    const PlannedFile& planned = *file.planned;
    UndoEntry& entry = file.entry;
    entry.name = planned.plan.path.filename().native();
    entry.inode = planned.status.inode;
    entry.oldSize = planned.plan.bytesBefore;
    entry.newSize = planned.plan.bytesAfter;
    entry.oldDataOffset = planned.oldDataOffset;
    entry.newHeaderBytes = planned.header.size();
    entry.newHeaderHash = quickHash(planned.header);
    entry.shift = planned.shift;
    entry.mark = planned.mark;
    const std::uint64_t start = startBytes(entry.mark);
    std::ranges::copy(planned.oldHeader().first(start), entry.oldStart.begin());
    std::ranges::copy(Bytes(planned.header).first(start), entry.newStart.begin());
    const std::uint64_t dataEnd = std::min(entry.oldSize, entry.newSize - static_cast<std::uint64_t>(entry.shift));
    const auto hash = hashData(m_operations, file.handle.get(), entry.oldDataOffset, dataEnd);
    if (!hash) {
        return failedWith(hash.error(), planned.plan.path);
    }
    entry.dataHash = *hash;
    if (entry.shift == 0) {
        file.writes = changedRanges(planned.oldHeader(), planned.header, start);
        for (const ByteRange& range : file.writes) {
            GUFO_TRY(keepOld(file, range));
        }
    } else {
        auto extents = m_operations.extents(file.handle.get(), std::numeric_limits<std::uint64_t>::max(), true);
        if (!extents) {
            return failedWith(extents.error(), planned.plan.path);
        }
        // Extents beyond the end of the file are the file system's own.
        std::erase_if(extents->written, [&](const ByteRange& range) { return range.offset >= entry.oldSize; });
        entry.written = std::move(extents->written);
        const std::uint64_t block = planned.status.blockSize;
        if (!entry.written.empty()) {
            ByteRange& last = entry.written.back();
            last.length = std::min(last.length, (entry.oldSize - last.offset + block - 1) / block * block);
        }
        const std::uint64_t shorter = std::min<std::uint64_t>(entry.oldDataOffset, entry.newHeaderBytes);
        entry.shiftAt = shorter / block * block;
        // Before shiftAt, only the bytes that differ are written.
        const Bytes before = planned.oldHeader().first(entry.shiftAt);
        file.writes = changedRanges(before, Bytes(planned.header).first(entry.shiftAt), start);
        for (const ByteRange& range : file.writes) {
            GUFO_TRY(keepOld(file, range));
        }
        const std::uint64_t from = std::max(entry.shiftAt, start);
        file.writes.push_back({from, entry.newHeaderBytes - from});
        GUFO_TRY(keepOld(file, {from, entry.oldDataOffset - from}));
    }
    if (entry.shift == 0 && entry.newSize < entry.oldSize) {
        GUFO_TRY(keepOld(file, {entry.newSize, entry.oldSize - entry.newSize}));
    }
    auto samples = takeSamples(m_operations, file.handle.get(), untouchedRanges(file, dataEnd));
    if (!samples) {
        return failedWith(samples.error(), planned.plan.path);
    }
    entry.samples = *std::move(samples);
    return {};
}

SystemResult<> InPlace::change() {
    for (const OpenedFile& file : m_files) {
        const int handle = file.handle.get();
        GUFO_TRY(writeAll(m_operations, handle, 0, unfinishedStart(file.entry.mark)));
        GUFO_TRY(m_operations.sync(handle));
    }
    for (const OpenedFile& file : m_files) {
        const int handle = file.handle.get();
        const UndoEntry& entry = file.entry;
        if (entry.shift != 0) {
            const auto shifted = shiftBlocks(m_operations, handle, entry, entry.shift);
            m_cannotShift = !shifted && (shifted.error() == EOPNOTSUPP || shifted.error() == EINVAL ||
                                         shifted.error() == ENOSYS || shifted.error() == ETXTBSY);
            GUFO_TRY(shifted);
        } else if (entry.newSize != entry.oldSize) {
            GUFO_TRY(m_operations.resize(handle, entry.newSize));
        }
        for (const ByteRange& range : file.writes) {
            GUFO_TRY(writeAll(m_operations, handle, range.offset,
                              Bytes(file.planned->header).subspan(range.offset, range.length)));
        }
        GUFO_TRY(m_operations.sync(handle));
    }
    for (const OpenedFile& file : m_files) {
        const int handle = file.handle.get();
        const UndoEntry& entry = file.entry;
        GUFO_TRY(writeAll(m_operations, handle, 0, std::span(entry.newStart).first(startBytes(entry.mark))));
        GUFO_TRY(m_operations.sync(handle));
    }
    return {};
}

// Restores the old files after a step failed. If that fails too, the error says that a journal remains.
Result<> InPlace::undoAll(int error) {
    const auto& path = m_files.front().planned->plan.path;
    for (const OpenedFile& file : m_files) {
        if (!undo(m_operations, file.handle.get(), file.entry)) {
            return std::unexpected(Error{ErrorCode::SaveInterrupted,
                                         file.planned->plan.path,
                                         {},
                                         {m_journal->path().filename().native()},
                                         error});
        }
        // The file has its old bytes again, so it gets its old time too, by which the next save recognises it. If this
        // fails, the next save reports that the file has changed.
        (void)m_operations.setModified(file.handle.get(), file.planned->status.modified);
    }
    (void)m_journal->remove(); // a journal that stays is harmless, because recovery sees that the files are the old
                               // ones
    return failedWith(error, path);
}

Result<std::optional<NotInPlace>> InPlace::run() {
    for (PlannedFile& planned : m_planned) {
        const bool mine = planned.plan.strategy == SaveStrategy::Patch || planned.plan.strategy == SaveStrategy::Shift;
        if (mine) {
            auto taken = take(planned);
            if (!taken || *taken) {
                return taken;
            }
        }
    }
    UndoJournal undoJournal;
    for (OpenedFile& file : m_files) {
        GUFO_TRY(prepare(file));
        undoJournal.files.push_back(file.entry);
    }
    if (m_job.stopRequested()) {
        return fail(ErrorCode::Cancelled); // the rest takes milliseconds and cannot be cancelled
    }
    const auto& path = m_files.front().planned->plan.path;
    const std::vector<std::byte> bytes = encodeJournal(undoJournal);
    if (bytes.size() > kLargestJournal) {
        return NotInPlace{SaveReason::HeaderTooLong, {std::to_string(bytes.size()), std::to_string(kLargestJournal)}};
    }
    auto journal = JournalFile::create(m_operations, journalPath(path), bytes);
    if (!journal) {
        return std::unexpected(std::move(journal).error().in(path));
    }
    m_journal.emplace(*std::move(journal));
    if (const auto changed = change(); !changed) {
        const auto undone = undoAll(changed.error());
        if (m_cannotShift && undone.error().code != ErrorCode::SaveInterrupted) {
            return NotInPlace{SaveReason::CannotShift, {}};
        }
        return std::unexpected(undone.error());
    }
    // The new files are durable. A journal that cannot be removed is harmless, because recovery sees that they are
    // complete.
    (void)m_journal->remove();
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        FilePlan& plan = m_files[i].planned->plan;
        plan.journalBytes = i == 0 ? bytes.size() : 0;
        plan.bytesToWrite = plan.journalBytes;
        for (const ByteRange& range : m_files[i].writes) {
            plan.bytesToWrite += range.length;
        }
    }
    for (std::size_t i = 0, file = 0; i < m_planned.size() && !m_revoked.empty(); ++i) {
        const SaveStrategy strategy = m_planned[i].plan.strategy;
        if (strategy == SaveStrategy::Patch || strategy == SaveStrategy::Shift) {
            m_revoked[file++].setShift(m_planned[i].shift);
        }
    }
    return std::nullopt;
}

// Releases the lease first, because restoring the mappings opens the file.
void InPlace::release() {
    for (OpenedFile& file : m_files) {
        if (file.leased) {
            m_operations.releaseLease(file.handle.get());
        }
    }
    m_files.clear();
    m_revoked.clear();
}

} // namespace

Result<std::optional<NotInPlace>> saveInPlace(std::span<PlannedFile> files, FileOperations& operations,
                                              const JobContext& job) {
    const std::scoped_lock lock(leaseMutex());
    return InPlace(files, operations, job).run();
}

} // namespace gufo::saving
