// The file that a journal is in, while it is ours.
#pragma once

#include "base/file_operations.h"
#include "formats/gguf/recover/recover.h"

namespace gufo::gguf {

// Locked as long as it is open, so that nobody recovers from it while the save is going on. It is the only record of
// how to undo a save, so that it stays on the disk unless remove() says otherwise: also where an exception ends the
// save, or the undoing of it.
class JournalFile {
public:
    // Durable on return: its content and its name. At most kLargestJournal bytes. Errors, with nothing left behind:
    // FileBusy, ReadOnlyFolder, WriteFailed.
    [[nodiscard]] static Result<JournalFile> create(FileOperations& operations, const std::filesystem::path& path,
                                                    Bytes content);
    // One that is there; nothing if there is none. `content` is its bytes, read only where its head and its size are
    // those of a journal; else empty, which is no journal either. Errors: FileBusy (somebody saves), PermissionDenied,
    // ReadFailed, JournalDamaged (no regular file, or longer than any journal).
    [[nodiscard]] static Result<std::optional<JournalFile>> open(FileOperations& operations,
                                                                 const std::filesystem::path& path);
    JournalFile(JournalFile&& other) noexcept = default;
    JournalFile& operator=(JournalFile&&) = delete;
    ~JournalFile() = default;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] Bytes content() const { return m_content; }
    // Durably.
    [[nodiscard]] SystemResult<> remove();

private:
    JournalFile(FileOperations& operations, std::filesystem::path path, int file);
    // Whether the name still stands for this file: before it was locked somebody may have removed it.
    [[nodiscard]] bool isInPlace();

    FileOperations* m_operations;
    std::filesystem::path m_path;
    OpenFile m_file;
    std::vector<std::byte> m_content;
};

} // namespace gufo::gguf
