#include "formats/gguf/write/new_files.h"

#include "base/checked.h"
#include "base/mapped_file.h"
#include "formats/gguf/recover/journal.h"
#include "formats/gguf/recover/journal_file.h"
#include "formats/gguf/write/conversion.h"

#include <algorithm>
#include <cerrno>
#include <random>

namespace gufo::gguf {
namespace {

using Mode = FileOperations::Mode;
using Path = std::filesystem::path;

constexpr std::string_view kTemporaryStart = ".gufo-";
constexpr std::string_view kTemporaryEnd = ".part";
constexpr int kNameAttempts = 100;
constexpr std::uint64_t kPiece = 16 << 20; // bytes between two looks at the stop request

class NewFileWriter {
public:
    NewFileWriter(NewFile& file, FileOperations& operations, const JobContext& job)
        : m_new(file)
        , m_operations(operations)
        , m_job(job) {}
    NewFileWriter(const NewFileWriter&) = delete;
    NewFileWriter& operator=(const NewFileWriter&) = delete;
    ~NewFileWriter() {
        if (!m_temporary.empty() && !m_kept) {
            m_file.reset();
            (void)m_operations.unlink(m_temporary);
        }
    }

    // The whole file under its temporary name, durably.
    Result<> write();
    Result<RenameEntry> renameEntry();
    SystemResult<> rename();
    // Whether the temporary file stays whatever happens: a journal says that it gets its name, or may say so.
    void setKept(bool kept) { m_kept = kept; }

private:
    Result<> create();
    Result<> copyAttributes();
    Result<> clonePiece(const DataPiece& piece);
    Result<> copyPiece(const DataPiece& piece);
    SystemResult<std::uint64_t> copyRange(int from, const DataPiece& piece);
    Result<> writeBytes(std::uint64_t offset, Bytes bytes);
    // A descriptor of the source's file; nothing where it is no file, or another one has taken its name.
    std::optional<int> sourceFile(const ByteSource& source);

    [[nodiscard]] std::unexpected<Error> failed(int error) const {
        const bool denied = error == EACCES || error == EPERM || error == EROFS;
        return std::unexpected(
            Error{denied ? ErrorCode::ReadOnlyFolder : ErrorCode::WriteFailed, m_new.path, {}, {}, error});
    }

    NewFile& m_new;
    FileOperations& m_operations;
    const JobContext& m_job;
    OpenFile m_file;
    Path m_temporary; // empty: not there
    bool m_kept = false;
    const ByteSource* m_source = nullptr;
    OpenFile m_sourceFile;
};

Result<> NewFileWriter::create() {
    const Path folder = m_new.path.parent_path();
    std::random_device random;
    int error = EEXIST;
    for (int attempt = 0; attempt < kNameAttempts && error == EEXIST; ++attempt) {
        const Path temporary =
            folder / (std::string(kTemporaryStart) + std::to_string(random()) + std::string(kTemporaryEnd));
        const auto handle = m_operations.open(temporary, Mode::CreateNew);
        if (handle) {
            m_file = OpenFile(m_operations, *handle);
            m_temporary = temporary;
            return {};
        }
        error = handle.error();
    }
    return failed(error);
}

// First of all: nobody who may not read the old file may read the new one.
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
        return std::unexpected(
            Error{ErrorCode::NoSpace, m_new.path, {}, {std::to_string(m_new.size), std::to_string(*space)}, 0});
    }
    if (auto created = create(); !created) {
        return created;
    }
    if (auto copied = m_new.replaces ? copyAttributes() : Result<>(); !copied) {
        return copied;
    }
    for (const DataPiece& piece : m_new.pieces) {
        if (auto put = m_new.clone ? clonePiece(piece) : copyPiece(piece); !put) {
            return put;
        }
    }
    if (auto put = writeBytes(0, m_new.header); !put) {
        return put;
    }
    if (const auto sized = m_operations.resize(m_file.get(), m_new.size); !sized) {
        return failed(sized.error());
    }
    if (m_job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    // Delayed allocation reports a full disk only here.
    if (const auto synced = m_operations.sync(m_file.get()); !synced) {
        return failed(synced.error());
    }
    return {};
}

Result<> NewFileWriter::writeBytes(std::uint64_t offset, Bytes bytes) {
    if (const auto put = writeAll(m_operations, m_file.get(), offset, bytes); !put) {
        return failed(put.error());
    }
    m_new.written += bytes.size();
    m_job.advance(bytes.size());
    return {};
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
    const auto* mapped = dynamic_cast<const MappedFile*>(&source);
    const bool same = status && status->size == source.size() &&
                      (mapped == nullptr || MappedFile::Identity{status->device, status->inode, status->size,
                                                                 status->modified} == mapped->identity());
    if (!same) {
        m_sourceFile.reset();
        return std::nullopt;
    }
    return m_sourceFile.get();
}

// Whole blocks from the one that the data starts in; the header is written over its beginning.
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

// In the kernel as far as it goes. Gives the bytes that were copied; EOPNOTSUPP and the like where it does not at all.
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
        m_new.written += *copied;
        m_job.advance(*copied);
    }
    return done;
}

Result<> NewFileWriter::copyPiece(const DataPiece& piece) {
    ByteRange range = piece.range;
    std::uint64_t to = piece.offset;
    const auto from = piece.swappedType ? std::nullopt : sourceFile(*piece.source);
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
    const auto bytes = piece.source->view(range);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    const std::uint64_t start = to;
    const auto put = [&](Bytes part) -> Result<> {
        auto written = writeBytes(to, part);
        m_operations.startWriteback(m_file.get(), to, part.size());
        // Its pages are not needed again; those of the header, at the front of the file, are.
        piece.source->advise({range.offset + (to - start), part.size()}, Access::Release);
        to += part.size();
        return written;
    };
    if (auto passed = passTensor(piece.swappedType.value_or(0), *bytes, piece.swappedType.has_value(), put, m_job);
        !passed) {
        return passed;
    }
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
    return RenameEntry{m_temporary.filename().native(), m_new.path.filename().native(), status->inode, status->size};
}

SystemResult<> NewFileWriter::rename() {
    auto renamed = m_operations.rename(m_temporary, m_new.path);
    if (renamed) {
        m_temporary.clear();
    }
    return renamed;
}

std::unexpected<Error> writeFailed(const NewFile& file, int error) {
    return std::unexpected(Error{ErrorCode::WriteFailed, file.path, {}, {}, error});
}

// All are whole under their temporary names: once the journal says so, they will have their own, come what may.
Result<> renameAll(std::span<NewFile> files, std::span<const std::unique_ptr<NewFileWriter>> writers,
                   FileOperations& operations) {
    RenameJournal entries;
    for (const auto& writer : writers) {
        auto entry = writer->renameEntry();
        if (!entry) {
            return std::unexpected(std::move(entry).error());
        }
        entries.files.push_back(*std::move(entry));
    }
    const Path folder = files[0].path.parent_path();
    // The journal must not be there without the files that it names.
    if (const auto synced = operations.syncFolder(folder); !synced) {
        return writeFailed(files[0], synced.error());
    }
    const auto setKept = [&](bool kept) {
        for (const auto& writer : writers) {
            writer->setKept(kept);
        }
    };
    setKept(true);
    auto journal = JournalFile::create(operations, journalPath(files[0].path), encodeJournal(entries));
    if (!journal) {
        setKept(false);
        return std::unexpected(std::move(journal).error().in(files[0].path));
    }
    SystemResult<> done;
    for (const auto& writer : writers) {
        done = done ? writer->rename() : done;
    }
    done = done ? operations.syncFolder(folder) : done;
    if (!done) {
        return std::unexpected(
            Error{ErrorCode::SaveInterrupted, files[0].path, {}, {journal->path().filename().native()}, done.error()});
    }
    (void)journal->remove();
    return {};
}

// Whether tensors that follow each other in their source follow each other in the new file too, with zeros between.
bool continues(const DataPiece& piece, const ByteSource& source, std::uint64_t sourceOffset, std::uint64_t offset) {
    const std::uint64_t end = piece.range.offset + piece.range.length;
    if (piece.source.get() != &source || piece.swappedType || sourceOffset < end ||
        sourceOffset - piece.range.offset != offset - piece.offset) {
        return false;
    }
    const auto between = source.view({end, sourceOffset - end});
    return between && std::ranges::all_of(*between, [](std::byte byte) { return byte == std::byte{0}; });
}

} // namespace

std::vector<DataPiece> piecesOf(const FileContent& content, const Model& model, std::uint64_t headerBytes) {
    std::vector<DataPiece> pieces;
    const bool swaps = content.layout.order != model.byteOrder;
    for (const ContentTensor& tensor : content.tensors) {
        const auto& source = model.files[tensor.source.value].source;
        const std::uint64_t offset = headerBytes + tensor.offset;
        if (tensor.bytes == 0) {
            continue;
        }
        const bool swapped = swaps;
        if (!swapped && !pieces.empty() && continues(pieces.back(), *source, tensor.sourceOffset, offset)) {
            pieces.back().range.length = tensor.sourceOffset + tensor.bytes - pieces.back().range.offset;
            continue;
        }
        pieces.push_back({source,
                          {tensor.sourceOffset, tensor.bytes},
                          offset,
                          swapped ? std::optional(tensor.typeId) : std::nullopt});
    }
    return pieces;
}

Result<> writeNewFiles(std::span<NewFile> files, FileOperations& operations, const JobContext& job) {
    std::uint64_t total = 0;
    for (const NewFile& file : files) {
        total += file.clone ? file.header.size() : file.size;
    }
    job.start(total);
    std::vector<std::unique_ptr<NewFileWriter>> writers;
    for (NewFile& file : files) {
        writers.push_back(std::make_unique<NewFileWriter>(file, operations, job));
        if (auto written = writers.back()->write(); !written) {
            return written;
        }
    }
    if (files.size() > 1) {
        return renameAll(files, writers, operations);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto done = writers[i]->rename();
        done = done ? operations.syncFolder(files[i].path.parent_path()) : done;
        if (!done) {
            return writeFailed(files[i], done.error());
        }
    }
    return {};
}

bool isTemporaryName(std::string_view name) {
    return name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd);
}

} // namespace gufo::gguf
