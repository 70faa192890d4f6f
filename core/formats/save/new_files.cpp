#include "formats/save/new_files.h"

#include "base/part_file.h"
#include "base/try.h"
#include "formats/save/journal.h"
#include "formats/save/journal_file.h"
#include "formats/save/new_file_writer.h"
#include "formats/save/recover.h"
#include "tensor/decode.h"

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
    const auto rename = [&]() -> SystemResult<> {
        for (const auto& writer : writers) {
            GUFO_TRY(writer->rename());
        }
        return operations.syncFolder(folder);
    };
    if (const auto done = rename(); !done) {
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
        if (done) {
            done = operations.syncFolder(files[i].path.parent_path());
        }
        if (!done) {
            return writeFailed(files[i], done.error());
        }
    }
    return {};
}

bool isTemporaryName(std::string_view name) {
    return name.starts_with(kTemporaryStart) && name.ends_with(kTemporaryEnd);
}

Result<> passTensor(Bytes bytes, const std::optional<RowLayout>& swapped, const std::function<Result<>(Bytes)>& out,
                    const JobContext& job) {
    constexpr std::uint64_t kPiece = 4 << 20;
    std::vector<std::byte> buffer;
    std::uint64_t weights = 0; // passed
    for (std::uint64_t at = 0; at < bytes.size();) {
        GUFO_TRY(job.check());
        Bytes part = bytes.subspan(at, std::min<std::uint64_t>(kPiece, bytes.size() - at));
        if (swapped) {
            // The end of the last whole block. An incomplete block at the end of the tensor is refused.
            const std::uint64_t end = swapped->weightsIn(at + part.size());
            const std::uint64_t whole = swapped->offset(end) - at;
            part = end > weights ? part.first(whole) : part;
            buffer.resize(part.size());
            GUFO_TRY(swapByteOrder(*swapped, weights, part, buffer));
            weights = end;
        }
        at += part.size();
        GUFO_TRY(out(swapped ? Bytes(buffer) : part));
    }
    return {};
}

} // namespace gufo::saving
