#include "hub/download.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/mapped_file.h"
#include "formats/container/container.h"
#include "hub/verify.h"
#include "model/set_fault.h"

#include <algorithm>
#include <memory>

namespace gufo::hub {
namespace {

namespace fs = std::filesystem;

// A file of the model that has to be fetched, or that is complete already.
struct Item {
    std::unique_ptr<FileDownload> download; // null: the file is there
    DownloadedFile done;
};

// The file at the path if it has the digest that the hub states. Errors: InvalidArgument.
Result<DownloadedFile> existing(const RepositoryFile& file, const fs::path& path, std::uint64_t bytes,
                                FileOperations& operations, const JobContext& job) {
    if (!file.sha256.empty() && bytes == file.bytes) {
        const auto digest = GUFO_TRY(digestOfFile(operations, path, {.stop = job.stop}));
        if (digest == file.sha256) {
            return DownloadedFile{.path = path, .bytes = bytes, .sha256 = digest, .isVerified = true, .wasThere = true};
        }
    }
    return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::FileExists}, 0});
}

Result<Item> prepare(net::Client& client, const RepositoryFile& file, const fs::path& path,
                     const DownloadOptions& options, FileOperations& operations, const JobContext& job) {
    const auto status = operations.status(path);
    if (status && !options.replaces) {
        auto there = GUFO_TRY(existing(file, path, status->size, operations, job));
        return Item{.done = std::move(there)};
    }
    Item item{.download = std::make_unique<FileDownload>(client, operations, file, path, options.transfer)};
    item.done.bytes = GUFO_TRY(item.download->probe(job));
    return item;
}

// Errors: NoSpace.
Result<> checkSpace(std::span<const Item> items, const fs::path& folder, FileOperations& operations) {
    std::uint64_t needed = 0;
    for (const Item& item : items) {
        needed = checkedAdd(needed, item.download != nullptr ? item.download->neededSpace() : 0).value_or(UINT64_MAX);
    }
    const auto space = operations.freeSpace(folder);
    return space && *space < needed ? std::unexpected(Error{ErrorCode::NoSpace, folder, {}, {needed, *space}, 0})
                                    : Result<>();
}

// The bytes equal the server's, but only the headers say whether its files belong together.
Result<> checkParts(std::span<const fs::path> paths, const JobContext& job) {
    if (paths.size() < 2) {
        return {};
    }
    auto file = MappedFile::open(paths.front());
    const auto model = file ? readModel(*std::move(file), job) : std::unexpected(std::move(file).error());
    return model ? checkSet(**model) : Result<>(); // files that are not models may be downloaded, too
}

} // namespace

std::vector<fs::path> destinations(const ModelFiles& model, const fs::path& folder) {
    std::vector<fs::path> paths;
    for (const RepositoryFile& file : model.files) {
        paths.push_back(folder / fs::path(std::string(file.fileName())));
    }
    return paths;
}

Leftovers leftoversOf(const ModelFiles& model, const fs::path& folder, FileOperations& operations) {
    Leftovers found;
    const std::vector<fs::path> paths = destinations(model, operations.resolve(folder).value_or(folder));
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const auto status = operations.status(paths[i]);
        found.anyExists = found.anyExists || status;
        if (status && status->size == model.files[i].bytes) {
            continue;
        }
        const std::uint64_t bytes = model.files[i].bytes;
        const std::uint64_t missing = bytes - std::min(FileDownload::takenSpace(operations, paths[i]), bytes);
        found.neededSpace = checkedAdd(found.neededSpace, missing).value_or(UINT64_MAX);
        const bool hasPart = operations.status(FileDownload::partPath(paths[i])).has_value();
        if (const auto journal = readJournal(FileDownload::journalPath(paths[i])); hasPart && journal) {
            for (const ByteRange& range : journal->present) {
                found.presentBytes += range.length;
            }
        }
    }
    return found;
}

Result<std::vector<DownloadedFile>> download(net::Client& client, const ModelFiles& model,
                                             const DownloadOptions& options, const JobContext& job,
                                             FileOperations& operations) {
    const auto folder = operations.resolve(options.folder.empty() ? fs::path(".") : options.folder);
    if (!folder) {
        return std::unexpected(systemError(folder.error(), options.folder, ErrorCode::WriteFailed));
    }
    const std::vector<fs::path> paths = destinations(model, *folder);
    std::vector<Item> items;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        auto item = GUFO_TRY(prepare(client, model.files[i], paths[i], options, operations, job));
        total = checkedAdd(total, item.done.bytes).value_or(UINT64_MAX);
        items.push_back(std::move(item));
    }
    GUFO_TRY(checkSpace(items, *folder, operations));
    job.start(total);
    std::vector<DownloadedFile> files;
    for (Item& item : items) {
        if (item.download == nullptr) {
            job.advance(item.done.bytes);
            files.push_back(std::move(item.done));
            continue;
        }
        auto done = GUFO_TRY(item.download->run(job));
        files.push_back(std::move(done));
    }
    GUFO_TRY(checkParts(paths, job));
    return files;
}

} // namespace gufo::hub
