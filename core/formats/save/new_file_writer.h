// Writes one new file beside its destination, under a temporary name which it loses when it is renamed: new_files.h
// decides when that happens. A file that was not renamed is deleted with its writer.
#pragma once

#include "base/file_operations.h"
#include "base/job_context.h"
#include "formats/save/journal.h"
#include "formats/save/new_files.h"

#include <cerrno>
#include <filesystem>
#include <optional>

namespace gufo::saving {

class NewFileWriter {
public:
    // Progress is in bytes.
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

    // Writes the whole file under its temporary name, durably.
    Result<> write();
    // Fails if a file that was copied from, or the one that is to be replaced, has changed.
    Result<> checkUnchanged();
    Result<RenameEntry> renameEntry();
    SystemResult<> rename();
    // Keeps the temporary file from being deleted, because a journal promises to rename it, or may do so.
    void setKept(bool kept) { m_kept = kept; }

private:
    Result<> create();
    Result<> copyAttributes();
    Result<> clonePiece(const DataPiece& piece);
    Result<> copyPiece(const DataPiece& piece);
    Result<> checkHash(const DataPiece& piece, std::uint64_t hash) const;
    Result<> copyHashed(const DataPiece& piece);
    Result<> hashBefore(const DataPiece& piece);
    Result<> copyUnhashed(const DataPiece& piece);
    SystemResult<std::uint64_t> copyRange(int from, const DataPiece& piece);
    Result<> writeBytes(std::uint64_t offset, Bytes bytes);
    Result<> advance(std::uint64_t bytes);
    Result<> checkSources();
    // A descriptor of the source's file, or nothing if it is not a file or another file has taken its name.
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
    std::filesystem::path m_temporary; // empty if there is none
    bool m_kept = false;
    const ByteSource* m_source = nullptr;
    OpenFile m_sourceFile;
    std::uint64_t m_unchecked = 0; // bytes written since the sources were checked
};

} // namespace gufo::saving
