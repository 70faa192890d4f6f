#include "formats/gguf/recover/recover.h"

#include "formats/gguf/read/shards.h"
#include "formats/gguf/recover/journal.h"
#include "formats/gguf/recover/journal_file.h"
#include "formats/gguf/recover/undo.h"
#include "formats/gguf/write/new_files.h"

#include <algorithm>
#include <cerrno>

namespace gufo::gguf {
namespace {

using Mode = FileOperations::Mode;
using Path = std::filesystem::path;

constexpr std::string_view kSuffix = ".gufo-journal";

class Recoverer {
public:
    Recoverer(FileOperations& operations, JournalFile& journal)
        : m_operations(operations)
        , m_journal(journal)
        , m_folder(journal.path().parent_path()) {}

    Result<Recovery> run();

private:
    Result<Recovery> recover(const UndoJournal& journal);
    Result<Recovery> recover(const RenameJournal& journal);
    Result<Recovery> finish(Recovery recovery);
    // Whether the journal may speak of such a file.
    [[nodiscard]] bool concerns(const std::string& name) const {
        return journalPath(m_folder / name) == m_journal.path();
    }
    [[nodiscard]] std::unexpected<Error> refused(ErrorCode code, const std::string& name) const {
        return std::unexpected(Error{code, m_folder / name, {}, {m_journal.path().filename().native()}, 0});
    }
    [[nodiscard]] std::unexpected<Error> failed(int error, const std::string& name, ErrorCode fallback) const {
        const bool denied = error == EACCES || error == EPERM || error == EROFS;
        return std::unexpected(Error{denied ? ErrorCode::FileNotWritable : fallback, m_folder / name, {}, {}, error});
    }

    FileOperations& m_operations;
    JournalFile& m_journal;
    Path m_folder;
};

Result<Recovery> Recoverer::run() {
    const auto journal = parseJournal(m_journal.content());
    if (!journal) {
        return std::unexpected(journal.error());
    }
    return std::visit([this](const auto& entries) { return recover(entries); }, *journal);
}

Result<Recovery> Recoverer::recover(const UndoJournal& journal) {
    struct File {
        const UndoEntry* entry;
        OpenFile handle;
        FileState state;
    };
    // All are looked at before anything is written.
    std::vector<File> files;
    for (const UndoEntry& entry : journal.files) {
        if (!concerns(entry.name)) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.name);
        }
        const auto handle = m_operations.open(m_folder / entry.name, Mode::Read);
        if (!handle) {
            return handle.error() == ENOENT ? refused(ErrorCode::JournalOfAnotherFile, entry.name)
                                            : failed(handle.error(), entry.name, ErrorCode::ReadFailed);
        }
        OpenFile opened(m_operations, *handle);
        const auto state = stateOf(m_operations, *handle, entry);
        if (!state) {
            return failed(state.error(), entry.name, ErrorCode::ReadFailed);
        }
        if (*state == FileState::Foreign) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.name);
        }
        files.push_back({&entry, std::move(opened), *state});
    }
    const auto all = [&](FileState state) {
        return std::ranges::all_of(files, [&](const File& file) { return file.state == state; });
    };
    if (all(FileState::Old)) {
        return finish(Recovery::RolledBack);
    }
    const bool isNew = all(FileState::New);
    for (File& file : files) {
        const std::string& name = file.entry->name;
        const auto handle = m_operations.open(m_folder / name, Mode::ReadWrite);
        if (!handle) {
            return failed(handle.error(), name, ErrorCode::WriteFailed);
        }
        const OpenFile opened(m_operations, *handle);
        // What is new may be so in memory only: the process was killed, not the machine.
        const auto done = isNew ? m_operations.sync(*handle) : undo(m_operations, *handle, *file.entry);
        if (!done) {
            return failed(done.error(), name, ErrorCode::WriteFailed);
        }
    }
    return finish(isNew ? Recovery::Completed : Recovery::RolledBack);
}

Result<Recovery> Recoverer::recover(const RenameJournal& journal) {
    std::vector<const RenameEntry*> waiting;
    for (const RenameEntry& entry : journal.files) {
        if (!concerns(entry.to) || !isTemporaryName(entry.from)) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.to);
        }
        const auto target = m_operations.status(m_folder / entry.to);
        if (target && target->inode == entry.inode && target->size == entry.size) {
            continue; // renamed already
        }
        const auto source = m_operations.status(m_folder / entry.from);
        if (!source || source->inode != entry.inode || source->size != entry.size) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.to);
        }
        waiting.push_back(&entry);
    }
    for (const RenameEntry* entry : waiting) {
        if (auto renamed = m_operations.rename(m_folder / entry->from, m_folder / entry->to); !renamed) {
            return failed(renamed.error(), entry->to, ErrorCode::WriteFailed);
        }
    }
    if (auto synced = m_operations.syncFolder(m_folder); !synced) {
        return failed(synced.error(), journal.files.empty() ? "" : journal.files[0].to, ErrorCode::WriteFailed);
    }
    return finish(Recovery::Completed);
}

// The files are whole and durable; a journal that stays (a folder that has become read-only) says so again next time.
Result<Recovery> Recoverer::finish(Recovery recovery) {
    (void)m_journal.remove();
    return recovery;
}

bool isUnfinished(FileOperations& operations, const Path& path) {
    const auto handle = operations.open(path, Mode::Read);
    if (!handle) {
        return false;
    }
    const OpenFile opened(operations, *handle);
    std::array<std::byte, kUnfinishedMagic.size()> magic{};
    return readAll(operations, *handle, 0, magic) && !hasMagic(magic);
}

// Whether a save was under way in the file or a sister of it: then a damaged journal is a loss. Else the save never
// began, for its journal was not whole yet, or it had ended.
bool wasUnderWay(FileOperations& operations, const Path& file) {
    const auto shard = parseShardName(file.filename());
    if (!shard) {
        return isUnfinished(operations, file);
    }
    ShardName sister = *shard;
    for (sister.number = 1; sister.number <= shard->count; ++sister.number) {
        if (isUnfinished(operations, file.parent_path() / shardFileName(sister))) {
            return true;
        }
    }
    return false;
}

} // namespace

Path journalPath(const Path& resolvedFile) {
    const std::string name = resolvedFile.filename().native();
    const auto shard = parseShardName(resolvedFile.filename());
    if (!shard || shard->count < 2) {
        return resolvedFile.parent_path() / (name + std::string(kSuffix));
    }
    // "x-00002-of-00003.gguf": that of the set is named as a file of no number.
    ShardName set = *shard;
    set.number = 0;
    return resolvedFile.parent_path() / (shardFileName(set).native() + std::string(kSuffix));
}

Result<Recovery> recover(const Path& file, FileOperations* given) {
    FileOperations& operations = given != nullptr ? *given : realFileOperations();
    const auto resolved = operations.resolve(file);
    if (!resolved) {
        return std::unexpected(systemError(resolved.error(), file));
    }
    auto journal = JournalFile::open(operations, journalPath(*resolved));
    if (!journal) {
        return std::unexpected(std::move(journal).error().in(file));
    }
    if (!*journal) {
        return Recovery::NotNeeded;
    }
    auto recovered = Recoverer(operations, **journal).run();
    if (recovered || recovered.error().code != ErrorCode::JournalDamaged) {
        return recovered;
    }
    if (wasUnderWay(operations, *resolved)) {
        return std::unexpected(Error{ErrorCode::JournalDamaged, file, {}, {(*journal)->path().filename().native()}, 0});
    }
    (void)(*journal)->remove();
    return Recovery::NotNeeded;
}

} // namespace gufo::gguf
