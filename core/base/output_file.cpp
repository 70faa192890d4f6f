#include "base/output_file.h"

#include "base/replaceable.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
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

} // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, OpenFiles openFiles) {
    OutputFile file;
    struct stat existing{};
    const bool exists = ::stat(path.c_str(), &existing) == 0;
    if (exists && isStream(path, existing)) {
        file.m_path = path; // the target of such a link need not have a name
        // A redirection keeps what is already in the file (>>).
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
    if (part.error() == ENOENT) { // what is missing is the folder, and not the file, which is about to be created
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
        // The bytes are those of a mapped file that another process has truncated. The system does not raise SIGBUS for
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

} // namespace gufo
