#include "formats/save/new_files.h"

#include "base/part_file.h"
#include "formats/recover/journal.h"
#include "formats/recover/journal_file.h"
#include "formats/recover/recover.h"
#include "formats/save/new_file_writer.h"

#include <memory>

namespace gufo::saving {
namespace {

constexpr std::string_view kTemporaryStart = ".gufo-";
constexpr std::string_view kTemporaryEnd = ".part";

std::unexpected<Error> writeFailed(const NewFile& file, int error) {
    return std::unexpected(Error{ErrorCode::WriteFailed, file.path, {}, {}, error});
}

// All files are complete under their temporary names. Once the journal is durable, they will be renamed whatever
// happens.
Result<> renameAll(std::span<NewFile> files, std::span<const std::unique_ptr<NewFileWriter>> writers,
                   FileOperations& operations) {
    RenameJournal entries;
    for (const auto& writer : writers) {
        auto entry = GUFO_TRY(writer->renameEntry());
        entries.files.push_back(std::move(entry));
    }
    const std::filesystem::path folder = files[0].path.parent_path();
    // The journal must not become durable before the files that it names.
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

} // namespace

Result<> writeNewFiles(std::span<NewFile> files, FileOperations& operations, const JobContext& job) {
    std::uint64_t total = 0;
    for (const NewFile& file : files) {
        total += file.clone ? file.header.size() : file.size;
    }
    job.start(total);
    if (!files.empty()) {
        removeAbandonedParts(files[0].path.parent_path());
    }
    std::vector<std::unique_ptr<NewFileWriter>> writers;
    for (NewFile& file : files) {
        writers.push_back(std::make_unique<NewFileWriter>(file, operations, job));
        GUFO_TRY(writers.back()->write());
    }
    for (const auto& writer : writers) {
        GUFO_TRY(writer->checkUnchanged());
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

} // namespace gufo::saving
