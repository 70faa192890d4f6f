#include "base/output_file.h"

#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gufo {
namespace {

// Follows a chain of symbolic links, so that the link stays and its target is replaced.
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
    const std::filesystem::path folder = file.m_path.parent_path();
    removeAbandonedParts(folder);
    auto part = createPartFile(realFileOperations(), folder);
    if (part) {
        file.m_part = *std::move(part);
        return file;
    }
    errno = part.error();
    if (errno == ENOENT) { // the folder is missing; the file itself is about to be created
        return std::unexpected(systemError(errno, file.m_path.parent_path(), ErrorCode::WriteFailed));
    }
    return file.failed();
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_part(std::exchange(other.m_part, {})) {}

OutputFile::~OutputFile() {
    if (!m_part.path.empty()) {
        ::unlink(m_part.path.c_str());
    }
}

std::unexpected<Error> OutputFile::failed() const {
    return std::unexpected(systemError(errno, m_path, ErrorCode::WriteFailed));
}

Result<> OutputFile::write(Bytes bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_part.file.get(), bytes.data(), bytes.size());
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

} // namespace gufo
