// The file of a journal that this process owns.
#pragma once

#include "base/file_operations.h"
#include "formats/save/recover.h"

namespace gufo::saving {

// The file stays locked while it is open, so that no process recovers from it during the save. Because it is the only
// record of how to undo the save, it stays on the disk unless remove() is called, even if an exception ends the save or
// its undoing.
class JournalFile {
public:
    // On return, the content and the name are durable. `content` has at most kLargestJournal bytes. Errors, with no
    // file left behind: FileBusy, ReadOnlyFolder, WriteFailed.
    [[nodiscard]] static Result<JournalFile> create(FileOperations& operations, const std::filesystem::path& path,
                                                    Bytes content);
    // Opens an existing journal; returns nothing if there is none. The content is read only if the file has the head
    // and size of a journal, and is empty otherwise, which does not parse as a journal. Errors: FileBusy (a save is
    // running), PermissionDenied, ReadFailed, JournalDamaged (not a regular file, or longer than any journal).
    [[nodiscard]] static Result<std::optional<JournalFile>> open(FileOperations& operations,
                                                                 const std::filesystem::path& path);
    JournalFile(JournalFile&& other) noexcept = default;
    JournalFile& operator=(JournalFile&&) = delete;
    ~JournalFile() = default;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] Bytes content() const { return m_content; }
    // Deletes the file durably.
    [[nodiscard]] SystemResult<> remove();

private:
    JournalFile(FileOperations& operations, std::filesystem::path path, int file);
    // Whether the name still refers to this file. Before it was locked, another process may have removed it.
    [[nodiscard]] bool isInPlace();

    FileOperations* m_operations;
    std::filesystem::path m_path;
    OpenFile m_file;
    std::vector<std::byte> m_content;
};

} // namespace gufo::saving
