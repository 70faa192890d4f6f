// What saving does to files, as an interface: the real operations, and in tests ones that fail, stop or forget at any
// point. Each is one system call or nearly so; what fails gives its errno.
//
// Threads: the real operations may be called from any thread, on one descriptor from one thread at a time.
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace gufo {

template<typename T = void>
using SystemResult = std::expected<T, int>; // errno

struct FileStatus {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t modified = 0; // ns
    std::uint64_t links = 1;
    std::uint32_t mode = 0;
    std::uint32_t blockSize = 4096; // of the file system: what ranges are inserted and cloned in
    bool regular = true;
    bool directory = false;
};

// How a file lies on the disk.
struct FileExtents {
    std::uint64_t count = 0;        // pieces
    std::vector<ByteRange> written; // what holds data, by offset, apart: neither holes nor space that is only reserved
};

class FileOperations {
public:
    using Path = std::filesystem::path;

    virtual ~FileOperations() = default;

    // The file at the end of all symbolic links; every other operation takes such a path.
    virtual SystemResult<Path> resolve(const Path& path) = 0;
    virtual SystemResult<FileStatus> status(const Path& path) = 0;
    // Whether the file may be written, and whether entries can be made in the folder.
    virtual SystemResult<> checkWritableFile(const Path& path) = 0;
    virtual SystemResult<> checkWritableFolder(const Path& folder) = 0;
    virtual SystemResult<std::uint64_t> freeSpace(const Path& folder) = 0;
    // What the file system of a file is known for; the operation itself may still say ENOTSUP.
    struct Abilities {
        bool insertsRanges = false;
        bool sharesBlocks = false;
    };
    virtual Abilities abilities(const Path& path) = 0;

    enum class Mode : std::uint8_t { Read, ReadWrite, CreateNew }; // CreateNew: EEXIST if it is there
    virtual SystemResult<int> open(const Path& path, Mode mode) = 0;
    virtual void close(int file) = 0;
    virtual SystemResult<FileStatus> status(int file) = 0;

    // May do less than asked; reads give 0 at the end.
    virtual SystemResult<std::size_t> read(int file, std::uint64_t offset, std::span<std::byte> out) = 0;
    virtual SystemResult<std::size_t> write(int file, std::uint64_t offset, Bytes bytes) = 0;
    virtual SystemResult<std::uint64_t> copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                                  std::uint64_t length) = 0;
    // Shares blocks; offsets are multiples of the block size, as is the length unless it reaches the end.
    virtual SystemResult<> cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                      std::uint64_t length) = 0;
    virtual SystemResult<> resize(int file, std::uint64_t size) = 0;
    // Offset and length are multiples of the block size, the offset is before the end of the file, a removed range
    // ends before it.
    virtual SystemResult<> insertRange(int file, std::uint64_t offset, std::uint64_t length) = 0;
    virtual SystemResult<> collapseRange(int file, std::uint64_t offset, std::uint64_t length) = 0;
    // Without `written` if there are more than `most`. Settled: what waits to be written out is, and counts.
    virtual SystemResult<FileExtents> extents(int file, std::uint64_t most, bool settled) = 0;
    // A hint: begin to write out now what sync() will wait for.
    virtual void startWriteback(int file, std::uint64_t offset, std::uint64_t length) = 0;
    virtual SystemResult<> sync(int file) = 0;

    // Mode, owner and extended attributes. Those that the file system or the user's rights do not allow are an error,
    // except an owner that is the same anyway.
    virtual SystemResult<> copyAttributes(int from, int to) = 0;

    virtual SystemResult<> rename(const Path& from, const Path& to) = 0;
    virtual SystemResult<> unlink(const Path& path) = 0;
    virtual SystemResult<> syncFolder(const Path& folder) = 0;

    // An advisory lock that other savers respect, until the file is closed. EWOULDBLOCK: somebody holds it.
    virtual SystemResult<> lock(int file) = 0;

    // A write lease: given only while nobody else, in this process or another, has the file open or mapped; then
    // whoever opens it waits until it is released (at most /proc/sys/fs/lease-break-time seconds). To be taken and
    // released by the same thread. EAGAIN: somebody has it open; EACCES: not the owner; else not supported.
    virtual SystemResult<> takeLease(int file) = 0;
    virtual void releaseLease(int file) = 0;
};

[[nodiscard]] FileOperations& realFileOperations();

// Closes a descriptor when the scope ends.
class OpenFile {
public:
    OpenFile() = default;
    OpenFile(FileOperations& operations, int file)
        : m_operations(&operations)
        , m_file(file) {}
    OpenFile(OpenFile&& other) noexcept
        : m_operations(other.m_operations)
        , m_file(std::exchange(other.m_file, -1)) {}
    OpenFile& operator=(OpenFile&& other) noexcept {
        std::swap(m_operations, other.m_operations);
        std::swap(m_file, other.m_file);
        return *this;
    }
    ~OpenFile() { reset(); }
    void reset() {
        if (m_file >= 0) {
            m_operations->close(std::exchange(m_file, -1));
        }
    }
    [[nodiscard]] int get() const { return m_file; }

private:
    FileOperations* m_operations = nullptr;
    int m_file = -1;
};

// All of it, however many calls that takes; ENODATA if the file ends before.
SystemResult<> readAll(FileOperations& operations, int file, std::uint64_t offset, std::span<std::byte> out);
SystemResult<> writeAll(FileOperations& operations, int file, std::uint64_t offset, Bytes bytes);

} // namespace gufo
