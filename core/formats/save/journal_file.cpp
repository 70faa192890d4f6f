#include "formats/save/journal_file.h"

#include "formats/save/journal.h"

#include <cerrno>

namespace gufo::saving {
namespace {

Error failure(int error, const std::filesystem::path& path) {
    const bool denied = error == EACCES || error == EPERM || error == EROFS;
    return Error{denied ? ErrorCode::ReadOnlyFolder : ErrorCode::WriteFailed, path, {}, {}, error};
}

} // namespace

JournalFile::JournalFile(FileOperations& operations, std::filesystem::path path, int file)
    : m_operations(&operations)
    , m_path(std::move(path))
    , m_file(operations, file) {}

bool JournalFile::isInPlace() {
    const auto named = m_operations->status(m_path);
    const auto opened = m_operations->status(m_file.get());
    return named && opened && named->inode == opened->inode && named->device == opened->device;
}

Result<JournalFile> JournalFile::create(FileOperations& operations, const std::filesystem::path& path, Bytes content) {
    const auto file = operations.open(path, FileOperations::Mode::CreateNew);
    if (!file) {
        return file.error() == EEXIST ? std::unexpected(Error{ErrorCode::FileBusy, path, {}, {}, 0})
                                      : std::unexpected(failure(file.error(), path));
    }
    JournalFile journal(operations, path, *file);
    if (!operations.lock(*file) || !journal.isInPlace()) {
        // Another process took it for an abandoned journal and is removing it.
        return std::unexpected(Error{ErrorCode::FileBusy, path, {}, {}, 0});
    }
    const auto write = [&]() -> SystemResult<> {
        GUFO_TRY(writeAll(operations, *file, 0, content));
        GUFO_TRY(operations.sync(*file));
        return operations.syncFolder(path.parent_path());
    };
    if (const auto written = write(); !written) {
        (void)journal.remove(); // no file was changed yet
        return std::unexpected(failure(written.error(), path));
    }
    return journal;
}

Result<std::optional<JournalFile>> JournalFile::open(FileOperations& operations, const std::filesystem::path& path) {
    const auto file = operations.open(path, FileOperations::Mode::Read);
    if (!file) {
        // If the name is too long for a journal, there is none.
        return file.error() == ENOENT || file.error() == ENAMETOOLONG
                   ? Result<std::optional<JournalFile>>(std::nullopt)
                   : std::unexpected(systemError(file.error(), path));
    }
    JournalFile journal(operations, path, *file);
    if (!operations.lock(*file)) {
        return std::unexpected(Error{ErrorCode::FileBusy, path, {}, {}, 0});
    }
    if (!journal.isInPlace()) {
        return std::nullopt; // its save has ended in the meantime
    }
    const auto status = operations.status(*file);
    if (!status || status->size > kLargestJournal || !status->regular) {
        return std::unexpected(Error{ErrorCode::JournalDamaged, path, {}, {path.filename().native()}, 0});
    }
    std::array<std::byte, kJournalHeadBytes> head{};
    if (status->size < head.size()) {
        return journal;
    }
    if (const auto read = readAll(operations, *file, 0, head); !read) {
        return std::unexpected(systemError(read.error(), path));
    }
    if (journalLength(head) != status->size) {
        return journal;
    }
    journal.m_content.resize(status->size);
    if (const auto read = readAll(operations, *file, 0, journal.m_content); !read) {
        return std::unexpected(systemError(read.error(), path));
    }
    return journal;
}

SystemResult<> JournalFile::remove() {
    const auto removed = m_operations->unlink(m_path);
    return removed ? m_operations->syncFolder(m_path.parent_path()) : removed;
}

} // namespace gufo::saving
