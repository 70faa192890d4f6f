#include "base/output_file.h"

#include "base/detail.h"
#include "base/mapped_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#if defined(__linux__)
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <cstdio>
#endif
#include <vector>

namespace gufo {
namespace {

// The number of bytes after which the system is asked to begin writing them to the disk, so that commit() need not wait
// for all of them.
constexpr std::uint64_t kWritebackBytes = 32U << 20U;

// Follows a chain of symbolic links, so that the link stays and its target is replaced.
std::filesystem::path followLinks(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_symlink(path, error)) {
        const auto target = std::filesystem::weakly_canonical(path, error);
        return error ? path : target;
    }
    return path;
}

// Whether the path names something that is written to and not replaced. A descriptor that the shell has redirected may
// refer to a regular file, which must not be replaced either, because the descriptor would keep the old one.
bool isStream(const std::filesystem::path& path, const struct stat& status) {
    const bool descriptor = path.native().starts_with("/dev/") || path.native().starts_with("/proc/");
    return S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode) || S_ISFIFO(status.st_mode) ||
           (S_ISREG(status.st_mode) && descriptor && !path.native().starts_with("/dev/shm/"));
}

// Returns errno; ENOSYS where the system or the file system cannot rename without replacing.
int renameExclusively([[maybe_unused]] const char* from, [[maybe_unused]] const char* to) {
#if defined(__linux__)
    constexpr unsigned kNoReplace = 1; // RENAME_NOREPLACE
    const int error = ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, kNoReplace) == 0 ? 0 : errno;
    return error == EINVAL ? ENOSYS : error;
#elif defined(__APPLE__)
    const int error = ::renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno;
    return error == ENOTSUP ? ENOSYS : error;
#else
    return ENOSYS;
#endif
}

} // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, OpenFiles openFiles) {
    OutputFile file;
    struct stat existing{};
    const bool exists = ::stat(path.c_str(), &existing) == 0;
    if (exists && isStream(path, existing)) {
        file.m_path = path; // the target of such a link need not have a name
        // A redirection keeps the present content of the file (>>).
        const int handle = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
        if (handle < 0) {
            return file.failed();
        }
        file.m_part.file = OpenFile(realFileOperations(), handle);
        return file;
    }
    if (exists && !S_ISREG(existing.st_mode)) {
        return std::unexpected(
            Error{S_ISDIR(existing.st_mode) ? ErrorCode::IsDirectory : ErrorCode::NotRegularFile, path, {}, {}, 0});
    }
    GUFO_TRY(openFiles == OpenFiles::Refused ? checkReplaceable(path) : checkNotHashed(path));
    file.m_path = followLinks(path);
    const std::filesystem::path folder = file.m_path.parent_path();
    removeAbandonedParts(folder);
    auto part = createPartFile(realFileOperations(), folder);
    if (part) {
        file.m_part = *std::move(part);
        return file;
    }
    if (part.error() == ENOENT) { // the folder is missing; the file is about to be created
        return std::unexpected(Error{ErrorCode::WriteFailed, file.m_path, {}, {}, ENOENT});
    }
    errno = part.error();
    return file.failed();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_part(std::exchange(other.m_part, {}))
    , m_written(other.m_written)
    , m_started(other.m_started) {}

OutputFile::~OutputFile() {
    if (!m_part.path.empty()) {
        ::unlink(m_part.path.c_str());
    }
}

std::unexpected<Error> OutputFile::failed() const {
    return std::unexpected(systemError(errno, m_path, ErrorCode::WriteFailed));
}

Result<> OutputFile::write(Bytes bytes) {
    std::vector<std::byte> copy;
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_part.file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        // The bytes belong to a mapped file that another process has truncated. The system does not raise SIGBUS for
        // its own reading, but the copy does, which makes them zeros and marks the mapping as damaged.
        if (written < 0 && errno == EFAULT && copy.empty()) {
            copy.assign(bytes.begin(), bytes.end());
            bytes = copy;
            continue;
        }
        if (written < 0) {
            return failed();
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        m_written += static_cast<std::uint64_t>(written);
    }
    if (m_written - m_started >= kWritebackBytes && !m_part.path.empty()) {
        realFileOperations().startWriteback(m_part.file.get(), m_started, m_written - m_started);
        m_started = m_written;
    }
    return {};
}

Result<> OutputFile::commit() {
    if (m_part.path.empty()) {
        // Pipes and most devices cannot be synchronised, which is not a failure.
        const bool synced = ::fsync(m_part.file.get()) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
        return synced ? Result<>() : Result<>(failed());
    }
    struct stat existing{};
    if (::stat(m_path.c_str(), &existing) == 0 && ::fchmod(m_part.file.get(), existing.st_mode & 07777) != 0) {
        return failed();
    }
    // With delayed allocation, a full disk is reported only here.
    if (::fsync(m_part.file.get()) != 0) {
        return failed();
    }
    // It stays open until then: without its lock, it could be taken for abandoned.
    if (::rename(m_part.path.c_str(), m_path.c_str()) != 0) {
        return failed();
    }
    m_part = {};
    return {};
}

Result<> writeWholeFile(const std::filesystem::path& path, std::string_view content) {
    auto file = GUFO_TRY(OutputFile::create(path));
    auto written = file.write(std::as_bytes(std::span(content)));
    return written ? file.commit() : written;
}

namespace {

bool isHexadecimal(std::string_view text) {
    return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// Hugging Face's cache names small files, such as README.md, by the SHA-1 that Git gives them.
bool isGitBlob(const std::filesystem::path& file) {
    constexpr std::size_t kDigits = 40;
    const std::string name = file.filename().native();
    return name.size() == kDigits && isHexadecimal(name) && file.parent_path().filename() == "blobs";
}

} // namespace

bool isContentHash(std::string_view fileName) {
    for (const std::string_view prefix : {"sha256-", "sha256:"}) {
        if (fileName.starts_with(prefix)) {
            fileName.remove_prefix(prefix.size());
        }
    }
    constexpr std::size_t kDigits = 64;
    return fileName.size() == kDigits && isHexadecimal(fileName);
}

Result<> checkNotHashed(const std::filesystem::path& path) {
    std::error_code error;
    const auto target = std::filesystem::canonical(path, error); // fails if there is nothing to be replaced
    if (error || !(isContentHash(target.filename().native()) || isGitBlob(target))) {
        return {};
    }
    return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::ReplacesHashedFile}, 0});
}

Result<> checkNotOpen(const std::filesystem::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
        !MappedFile::isOpen(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino))) {
        return {};
    }
    return std::unexpected(Error{ErrorCode::InvalidArgument, path, {}, {Detail::OpenHere}, 0});
}

Result<> checkReplaceable(const std::filesystem::path& path) {
    auto replaceable = checkNotHashed(path);
    return replaceable ? checkNotOpen(path) : replaceable;
}

Result<> renameFile(const std::filesystem::path& file, const std::filesystem::path& fileName) {
    if (fileName.empty() || fileName != fileName.filename() || fileName == "." || fileName == "..") {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::NotAFileName});
    }
    const std::filesystem::path target = file.parent_path() / fileName;
    if (file.filename() == fileName) {
        return {};
    }
    int error = renameExclusively(file.c_str(), target.c_str());
    if (error == ENOSYS) {
        std::error_code code;
        if (std::filesystem::exists(std::filesystem::symlink_status(target, code))) {
            error = EEXIST;
        } else {
            std::filesystem::rename(file, target, code);
            error = code.value();
        }
    }
    if (error == EEXIST) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, target, {}, {Detail::FileExists}, 0});
    }
    return error == 0 ? Result<>() : std::unexpected(systemError(error, file, ErrorCode::WriteFailed));
}

} // namespace gufo
