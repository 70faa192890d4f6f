// The file that a journal is in, while it is ours.
#pragma once

#include "base/file_operations.h"
#include "formats/gguf/recover/recover.h"

namespace gufo::gguf {

// Locked as long as it is open, so that nobody recovers from it while the save is going on. Removed when it goes out of
// scope, unless left.
class JournalFile {
public:
    // Durable on return: its content and its name. Errors: FileBusy, ReadOnlyFolder, WriteFailed.
    [[nodiscard]] static Result<JournalFile> create(FileOperations& operations, const std::filesystem::path& path,
                                                    Bytes content);
    // One that is there; nothing if there is none. `content` is its bytes. Errors: FileBusy (somebody saves),
    // PermissionDenied, ReadFailed, JournalDamaged (larger than any).
    [[nodiscard]] static Result<std::optional<JournalFile>> open(FileOperations& operations,
                                                                 const std::filesystem::path& path);
    JournalFile(JournalFile&& other) noexcept;
    JournalFile& operator=(JournalFile&&) = delete;
    ~JournalFile();

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] Bytes content() const { return m_content; }
    // Durably.
    [[nodiscard]] SystemResult<> remove();
    void leave() { m_leave = true; }

private:
    JournalFile(FileOperations& operations, std::filesystem::path path, int file);
    // Whether the name still stands for this file: before it was locked somebody may have removed it.
    [[nodiscard]] bool isInPlace();

    FileOperations* m_operations;
    std::filesystem::path m_path;
    OpenFile m_file;
    std::vector<std::byte> m_content;
    bool m_leave = false;
};

} // namespace gufo::gguf
