#include "base/part_file.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <random>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gufo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStart = ".gufo-";
constexpr std::string_view kEnd = ".part";
constexpr int kAttempts = 100;

// Names that this program gives, which contain a number.
bool isPartName(std::string_view name) {
    if (!name.starts_with(kStart) || !name.ends_with(kEnd) || name.size() <= kStart.size() + kEnd.size()) {
        return false;
    }
    const std::string_view number = name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size());
    return number.find_first_not_of("0123456789") == std::string_view::npos;
}

std::vector<fs::path> listed(const fs::path& folder, bool (*wanted)(std::string_view name)) {
    std::vector<fs::path> paths;
    forEachName(folder, [&](std::string_view name) {
        if (wanted(name)) {
            paths.push_back(folder / name);
        }
    });
    return paths;
}

bool isJournalName(std::string_view name) { return name.ends_with(kJournalSuffix); }

// Deletes the file while it is locked, so that no process can begin to use it.
bool removeIfAbandoned(const fs::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    OpenFile opened(realFileOperations(), file);
    struct stat locked{};
    struct stat named{};
    const bool abandoned = ::flock(file, LOCK_EX | LOCK_NB) == 0 && ::fstat(file, &locked) == 0 &&
                           S_ISREG(locked.st_mode) && ::lstat(path.c_str(), &named) == 0 &&
                           named.st_ino == locked.st_ino && named.st_dev == locked.st_dev;
    // Its writer, if it was killed, had created its journal before the lock became free.
    return abandoned && listed(path.parent_path(), isJournalName).empty() && ::unlink(path.c_str()) == 0;
}

} // namespace

SystemResult<PartFile> createPartFile(FileOperations& operations, const fs::path& folder) {
    std::random_device random;
    int error = EEXIST;
    for (int attempt = 0; attempt < kAttempts && error == EEXIST; ++attempt) {
        fs::path path = folder / (std::string(kStart) + std::to_string(random()) + std::string(kEnd));
        const auto handle = operations.open(path, FileOperations::Mode::CreateNew);
        if (!handle) {
            error = handle.error();
            continue;
        }
        PartFile part{OpenFile(operations, *handle), std::move(path)};
        const auto locked = operations.lock(*handle);
        if (!locked && locked.error() == EWOULDBLOCK) {
            continue; // it is about to be deleted
        }
        const auto opened = operations.status(*handle);
        if (!opened) {
            (void)operations.unlink(part.path);
            return std::unexpected(opened.error());
        }
        const auto named = operations.status(part.path);
        if (named && named->inode == opened->inode && named->device == opened->device) {
            return part;
        }
    }
    return std::unexpected(error);
}

std::size_t removeAbandonedParts(const fs::path& folder) {
    const std::vector<fs::path> parts = listed(folder, isPartName);
    return static_cast<std::size_t>(std::ranges::count_if(parts, removeIfAbandoned));
}

void forEachName(const std::filesystem::path& folder, const std::function<void(std::string_view name)>& use) {
    struct Close {
        void operator()(DIR* open) const { ::closedir(open); }
    };
    const std::unique_ptr<DIR, Close> open(::opendir(folder.empty() ? "." : folder.c_str()));
    while (const dirent* entry = open != nullptr ? ::readdir(open.get()) : nullptr) {
        if (const std::string_view name = entry->d_name; name != "." && name != "..") {
            use(name);
        }
    }
}

} // namespace gufo
