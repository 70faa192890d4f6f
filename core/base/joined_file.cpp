#include "base/joined_file.h"

#include "base/checked.h"
#include "base/detail.h"
#include "base/file_operations.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace gufo {
namespace {

struct Piece {
    OpenFile file;
    std::uint64_t size = 0;
    ByteSource::Identity identity;
};

Result<Piece> openPiece(const std::filesystem::path& path) {
    Piece piece{.file = OpenFile(realFileOperations(), ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))};
    struct stat status{};
    if (piece.file.get() < 0 || fstat(piece.file.get(), &status) != 0) {
        return std::unexpected(systemError(errno, path));
    }
    if (!S_ISREG(status.st_mode) || status.st_size == 0) {
        const bool isFolder = S_ISDIR(status.st_mode);
        const ErrorCode code = isFolder                   ? ErrorCode::IsDirectory
                               : !S_ISREG(status.st_mode) ? ErrorCode::NotRegularFile
                                                          : ErrorCode::EmptyFile;
        return std::unexpected(Error{code, path, {}, {}, 0});
    }
    piece.size = static_cast<std::uint64_t>(status.st_size);
    piece.identity = {.device = status.st_dev,
                      .inode = status.st_ino,
                      .size = piece.size,
                      .modified = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec};
    return piece;
}

// Reads a piece that follows one ending within a page. Both share that page, so its bytes are kept.
SystemResult<> readInto(std::byte* data, std::uint64_t offset, const Piece& piece) {
    const std::uint64_t page = offset / pageSize() * pageSize();
    const std::uint64_t end = pagesUp(offset + piece.size);
    const std::vector<std::byte> before(data + page, data + offset);
    if (mmap(data + page, end - page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
        return std::unexpected(errno);
    }
    std::memcpy(data + page, before.data(), before.size());
    const auto read = readAll(realFileOperations(), piece.file.get(), 0, {data + offset, piece.size});
    mprotect(data + page, end - page, PROT_READ);
    return read;
}

} // namespace

Result<std::shared_ptr<const JoinedFile>> JoinedFile::open(std::span<const std::filesystem::path> paths,
                                                           std::filesystem::path whole) {
    std::vector<Piece> pieces;
    std::uint64_t size = 0;
    std::uint64_t copied = 0;
    for (const std::filesystem::path& path : paths) {
        auto piece = GUFO_TRY(openPiece(path));
        copied += size % pageSize() != 0 ? piece.size : 0;
        const auto end = checkedAdd(size, piece.size);
        if (!end || copied > kMaxCopied) {
            return std::unexpected(Error{ErrorCode::NotSupported, std::move(whole), {}, {Detail::PiecesNotPages}, 0});
        }
        size = *end;
        pieces.push_back(std::move(piece));
    }
    if (pieces.empty()) {
        return std::unexpected(Error{ErrorCode::EmptyFile, std::move(whole), {}, {}, 0});
    }
    void* reserved = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) {
        return std::unexpected(systemError(errno, whole, ErrorCode::MapFailed));
    }
    std::shared_ptr<JoinedFile> joined(new JoinedFile);
    joined->m_path = std::move(whole);
    joined->m_data = static_cast<std::byte*>(reserved);
    joined->m_size = size;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        SystemResult<> done;
        if (offset % pageSize() != 0) {
            done = readInto(joined->m_data, offset, piece);
        } else if (mmap(joined->m_data + offset, piece.size, PROT_READ, MAP_SHARED | MAP_FIXED, piece.file.get(), 0) ==
                   MAP_FAILED) {
            done = std::unexpected(errno);
        }
        if (!done) {
            return std::unexpected(systemError(done.error(), paths[i], ErrorCode::MapFailed));
        }
        offset += piece.size;
        joined->m_pieces.emplace_back(paths[i], piece.identity);
    }
    joined->m_guard.emplace(joined->m_data, size);
    return joined;
}

JoinedFile::~JoinedFile() {
    m_guard.reset();
    munmap(m_data, m_size);
}

Result<Bytes> JoinedFile::view(ByteRange range) const {
    if (!fits(range, m_size)) {
        return std::unexpected(Error{ErrorCode::RangeOutsideFile,
                                     m_path,
                                     Place::atOffset(range.offset),
                                     {range.offset, range.length, m_size},
                                     0});
    }
    return Bytes(m_data + range.offset, range.length);
}

std::optional<Error> JoinedFile::damage() const {
    if (m_guard->damaged()) {
        return Error{ErrorCode::FileChangedWhileReading, m_path, {}, {}, 0};
    }
    for (const auto& [path, identity] : m_pieces) {
        if (auto change = writtenSince(path, identity)) {
            return change;
        }
    }
    return std::nullopt;
}

} // namespace gufo
