#include "base/output_file.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gufo {
namespace {

constexpr int kNameAttempts = 100;

// Where a chain of symbolic links ends, so that the link stays and its target is replaced.
std::filesystem::path followLinks(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_symlink(path, error)) {
        const auto target = std::filesystem::weakly_canonical(path, error);
        return error ? path : target;
    }
    return path;
}

} // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
    OutputFile file;
    file.m_path = followLinks(path);
    struct stat existing{};
    if (::stat(file.m_path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode)) {
        return std::unexpected(
            Error{S_ISDIR(existing.st_mode) ? ErrorCode::IsDirectory : ErrorCode::NotRegularFile, path, {}, {}, 0});
    }
    std::random_device random;
    for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
        const std::filesystem::path temporary =
            file.m_path.parent_path() / (".gufo-" + std::to_string(random()) + ".part");
        file.m_descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file.m_descriptor >= 0) {
            file.m_temporary = temporary;
            return file;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    if (errno == ENOENT) { // not of the file, which is to be made, but of its folder
        return std::unexpected(systemError(errno, file.m_path.parent_path(), ErrorCode::WriteFailed));
    }
    return file.failed();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_path(std::move(other.m_path))
    , m_temporary(std::exchange(other.m_temporary, {})) {}

OutputFile::~OutputFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
    }
}

std::unexpected<Error> OutputFile::failed() const {
    return std::unexpected(systemError(errno, m_path, ErrorCode::WriteFailed));
}

Result<> OutputFile::write(Bytes bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return failed();
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Result<> OutputFile::commit() {
    struct stat existing{};
    if (::stat(m_path.c_str(), &existing) == 0 && ::fchmod(m_descriptor, existing.st_mode & 07777) != 0) {
        return failed();
    }
    // Delayed allocation reports a full disk only here.
    if (::fsync(m_descriptor) != 0) {
        return failed();
    }
    if (::close(std::exchange(m_descriptor, -1)) != 0) {
        return failed();
    }
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0) {
        return failed();
    }
    m_temporary.clear();
    return {};
}

} // namespace gufo
