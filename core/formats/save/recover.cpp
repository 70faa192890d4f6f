#include "formats/save/recover.h"

#include "base/detail.h"
#include "base/part_file.h"
#include "formats/detection/shard_names.h"
#include "formats/detection/signatures.h"
#include "formats/save/journal.h"
#include "formats/save/journal_file.h"
#include "formats/save/new_files.h"
#include "formats/save/undo.h"

#include <algorithm>
#include <cerrno>

namespace gufo::saving {
namespace {

using Mode = FileOperations::Mode;
using Path = std::filesystem::path;

class Recoverer {
public:
    Recoverer(FileOperations& operations, JournalFile& journal, MovedFile moved)
        : m_operations(operations)
        , m_journal(journal)
        , m_moved(moved)
        , m_folder(journal.path().parent_path()) {}

    Result<Recovery> run();

private:
    Result<Recovery> recover(const UndoJournal& journal);
    Result<Recovery> recover(const RenameJournal& journal);
    Result<Recovery> finish(Recovery recovery);
    // Whether a file of that name may occur in this journal.
    [[nodiscard]] bool concerns(const std::string& name) const {
        return journalPath(m_folder / name) == m_journal.path() || isListOfSet(name);
    }
    // A list of safetensors shards is written with them.
    [[nodiscard]] bool isListOfSet(std::string_view name) const {
        if (!name.ends_with(kShardListSuffix)) {
            return false;
        }
        name.remove_suffix(kShardListSuffix.size());
        return m_journal.path().filename().native().starts_with(std::string(name) + "-00000-of-");
    }
    [[nodiscard]] std::unexpected<Error> refused(ErrorCode code, const std::string& name) const {
        return std::unexpected(Error{code, m_folder / name, {}, {m_journal.path().filename().native()}, 0});
    }
    [[nodiscard]] std::unexpected<Error> failed(int error, const std::string& name, ErrorCode fallback) const {
        const bool denied = error == EACCES || error == EPERM || error == EROFS;
        return std::unexpected(Error{denied ? ErrorCode::FileNotWritable : fallback, m_folder / name, {}, {}, error});
    }

    // Whether a name belongs to the new file that the entry describes.
    enum class Match : std::uint8_t { None, Copy, Itself };
    Match match(const Path& path, const RenameEntry& entry);
    [[nodiscard]] std::unexpected<Error> refusedCopy(const std::string& name) const {
        Arguments args{m_journal.path().filename().native(), Detail::MovedCopy};
        return std::unexpected(Error{ErrorCode::JournalOfAnotherFile, m_folder / name, {}, std::move(args), 0});
    }

    FileOperations& m_operations;
    JournalFile& m_journal;
    MovedFile m_moved;
    Path m_folder;
};

Result<Recovery> Recoverer::run() {
    const auto journal = GUFO_TRY(parseJournal(m_journal.content()));
    return std::visit([this](const auto& entries) { return recover(entries); }, journal);
}

Result<Recovery> Recoverer::recover(const UndoJournal& journal) {
    struct File {
        const UndoEntry* entry;
        OpenFile handle;
        FileState state;
    };
    // All files are examined before anything is written.
    std::vector<File> files;
    bool copied = false;
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
        auto state = stateOf(m_operations, *handle, entry);
        if (state && *state == FileState::Foreign) {
            state = stateOf(m_operations, *handle, entry, true);
            copied = copied || (state && *state != FileState::Foreign);
        }
        if (!state) {
            return failed(state.error(), entry.name, ErrorCode::ReadFailed);
        }
        if (*state == FileState::Foreign) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.name);
        }
        files.push_back({&entry, std::move(opened), *state});
    }
    if (copied) {
        const auto unfinished = std::ranges::find(files, FileState::Unfinished, &File::state);
        if (unfinished == files.end()) {
            return refused(ErrorCode::JournalOfAnotherFile, files.front().entry->name);
        }
        if (m_moved == MovedFile::Refuse) {
            return refusedCopy(unfinished->entry->name);
        }
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
        // The new content may be only in the page cache if the process was killed but the machine kept running.
        const auto done = isNew ? m_operations.sync(*handle) : undo(m_operations, *handle, *file.entry);
        if (!done) {
            return failed(done.error(), name, ErrorCode::WriteFailed);
        }
    }
    return finish(isNew ? Recovery::Completed : Recovery::RolledBack);
}

Recoverer::Match Recoverer::match(const Path& path, const RenameEntry& entry) {
    const auto status = m_operations.status(path);
    if (!status || status->size != entry.size) {
        return Match::None;
    }
    if (status->inode == entry.inode) {
        return Match::Itself;
    }
    const auto handle = m_operations.open(path, Mode::Read);
    if (!handle) {
        return Match::None;
    }
    const OpenFile opened(m_operations, *handle);
    return hasSamples(m_operations, *handle, entry.samples).value_or(false) ? Match::Copy : Match::None;
}

Result<Recovery> Recoverer::recover(const RenameJournal& journal) {
    std::vector<const RenameEntry*> waiting;
    bool copied = false;
    for (const RenameEntry& entry : journal.files) {
        if (!concerns(entry.to) || !isTemporaryName(entry.from)) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.to);
        }
        const Match target = match(m_folder / entry.to, entry);
        copied = copied || target == Match::Copy;
        if (target != Match::None) {
            continue; // renamed already
        }
        const Match source = match(m_folder / entry.from, entry);
        if (source == Match::None) {
            return refused(ErrorCode::JournalOfAnotherFile, entry.to);
        }
        copied = copied || source == Match::Copy;
        waiting.push_back(&entry);
    }
    if (copied && m_moved == MovedFile::Refuse) {
        return refusedCopy(journal.files.front().to);
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

// The files are complete and durable. If the journal cannot be removed (the folder has become read-only), the next
// recovery gives the same result.
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
    std::array<std::byte, signature::kSavedStart> start{};
    return readAll(operations, *handle, 0, start) && !signature::isSavedInPlace(start);
}

// Whether a save of the file or of another shard of its set was in progress; only then is a damaged journal a loss.
// Otherwise the save had not begun, because its journal was still incomplete, or it had already ended.
bool wasUnderWay(FileOperations& operations, const Path& file) {
    const auto member = parseSetMember(file.filename());
    if (!member) {
        return isUnfinished(operations, file);
    }
    ShardName sibling = member->name;
    for (sibling.number = 1; sibling.number <= member->name.count; ++sibling.number) {
        if (isUnfinished(operations, file.parent_path() / shardFileName(sibling, member->suffix))) {
            return true;
        }
    }
    return false;
}

} // namespace

Path journalPath(const Path& resolvedFile) {
    const std::string name = resolvedFile.filename().native();
    const auto member = parseSetMember(resolvedFile.filename());
    if (!member || member->name.count < 2) {
        return resolvedFile.parent_path() / (name + std::string(kJournalSuffix));
    }
    // "x-00002-of-00003.gguf": the journal of the set has the name of shard number 0.
    ShardName set = member->name;
    set.number = 0;
    return resolvedFile.parent_path() / (shardFileName(set, member->suffix).native() + std::string(kJournalSuffix));
}

Error interruptedSave(const Path& file) {
    std::error_code error;
    const Path resolved = std::filesystem::canonical(file, error);
    return Error{ErrorCode::SaveInterrupted, file, {}, {journalPath(error ? file : resolved).filename().native()}, 0};
}

namespace {

Result<Recovery> recoverJournal(const Path& file, const Path& resolved, FileOperations& operations, MovedFile moved) {
    auto journal = JournalFile::open(operations, journalPath(resolved));
    if (!journal) {
        return std::unexpected(std::move(journal).error().in(file));
    }
    if (!*journal) {
        return Recovery::NotNeeded;
    }
    auto recovered = Recoverer(operations, **journal, moved).run();
    if (recovered || recovered.error().code != ErrorCode::JournalDamaged) {
        return recovered;
    }
    if (wasUnderWay(operations, resolved)) {
        return std::unexpected(Error{ErrorCode::JournalDamaged, file, {}, {(*journal)->path().filename().native()}, 0});
    }
    (void)(*journal)->remove();
    return Recovery::NotNeeded;
}

// The path of a file that does not exist, if the journal of an interrupted save is beside it, which was to create it.
SystemResult<Path> promisedFile(const Path& file, FileOperations& operations) {
    const Path parent = file.parent_path();
    const auto folder = operations.resolve(parent.empty() ? Path(".") : parent);
    const Path path = folder ? *folder / file.filename() : Path();
    return folder && operations.status(journalPath(path)) ? SystemResult<Path>(path)
                                                          : SystemResult<Path>(std::unexpected(ENOENT));
}

} // namespace

Result<Recovery> recover(const Path& file, FileOperations* given, MovedFile moved) {
    FileOperations& operations = given != nullptr ? *given : realFileOperations();
    auto resolved = operations.resolve(file);
    if (!resolved && resolved.error() == ENOENT) {
        resolved = promisedFile(file, operations);
    }
    if (!resolved) {
        return std::unexpected(systemError(resolved.error(), file));
    }
    auto recovered = recoverJournal(file, *resolved, operations, moved);
    if (recovered) {
        removeAbandonedParts(resolved->parent_path());
    }
    return recovered;
}

std::vector<Path> interruptedFiles(const Path& folder) {
    std::vector<Path> files;
    forEachName(folder, [&](std::string_view entry) {
        if (!entry.ends_with(kJournalSuffix)) {
            return;
        }
        std::string name(entry.substr(0, entry.size() - kJournalSuffix.size()));
        for (const std::string_view suffix : {".gguf", ".safetensors"}) {
            const std::string number = "-00000-of-"; // of a set
            const std::size_t at = name.rfind(number);
            if (at != std::string::npos && name.ends_with(suffix)) {
                name.replace(at, number.size(), "-00001-of-");
                break;
            }
        }
        files.push_back(folder / name);
    });
    return files;
}

} // namespace gufo::saving
