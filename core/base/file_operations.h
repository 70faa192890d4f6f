// The file operations that saving needs, as an interface. Tests substitute implementations that fail, stop or lose data
// at any point. Each operation is little more than one system call and reports its errno on failure.
//
// Threads: the real operations are thread-safe, except that one descriptor must not be used by two threads at once.
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
    std::uint32_t blockSize = 4096; // of the file system: the granularity at which ranges are inserted and cloned
    bool regular = true;
    bool directory = false;

    [[nodiscard]] ByteSource::Identity identity() const {
        return {.device = device, .inode = inode, .size = size, .modified = modified};
    }
};

// How a file is laid out on the disk.
struct FileExtents {
    std::uint64_t count = 0;
    std::vector<ByteRange> written; // ranges that hold data (neither holes nor preallocated space), sorted and disjoint
};

class FileOperations {
public:
    using Path = std::filesystem::path;

    virtual ~FileOperations() = default;

    // Resolves all symbolic links. Every other operation takes a path that has been resolved.
    virtual SystemResult<Path> resolve(const Path& path) = 0;
    virtual SystemResult<FileStatus> status(const Path& path) = 0;
    // Check whether the file may be written, and whether entries can be created in the folder.
    virtual SystemResult<> checkWritableFile(const Path& path) = 0;
    virtual SystemResult<> checkWritableFolder(const Path& folder) = 0;
    virtual SystemResult<std::uint64_t> freeSpace(const Path& folder) = 0;
    // The operations that the file system of a file is known to support; they may still fail with ENOTSUP.
    struct Abilities {
        bool insertsRanges = false;
        bool sharesBlocks = false;
    };
    virtual Abilities abilities(const Path& path) = 0;

    enum class Mode : std::uint8_t { Read, ReadWrite, CreateNew }; // CreateNew fails with EEXIST if the file exists
    virtual SystemResult<int> open(const Path& path, Mode mode) = 0;
    // An empty file without a name, for reading and writing, which ceases to exist when it is closed. An errno means
    // that the folder's file system has no such files.
    virtual SystemResult<int> openUnnamed(const Path& folder) = 0;
    virtual void close(int file) = 0;
    virtual SystemResult<FileStatus> status(int file) = 0;

    // These may transfer fewer bytes than requested; read() returns 0 at the end of the file.
    virtual SystemResult<std::size_t> read(int file, std::uint64_t offset, std::span<std::byte> out) = 0;
    virtual SystemResult<std::size_t> write(int file, std::uint64_t offset, Bytes bytes) = 0;
    virtual SystemResult<std::uint64_t> copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                                  std::uint64_t length) = 0;
    // Makes both files share the blocks. Offsets are multiples of the block size; so is the length, unless the range
    // reaches the end of the file.
    virtual SystemResult<> cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                      std::uint64_t length) = 0;
    virtual SystemResult<> resize(int file, std::uint64_t size) = 0;
    // Offset and length are multiples of the block size. The offset lies before the end of the file, and a range that
    // is collapsed ends before it.
    virtual SystemResult<> insertRange(int file, std::uint64_t offset, std::uint64_t length) = 0;
    virtual SystemResult<> collapseRange(int file, std::uint64_t offset, std::uint64_t length) = 0;
    // Leaves `written` empty if there are more than `limit` extents. `settled` writes out delayed allocations first, so
    // that they are counted too.
    virtual SystemResult<FileExtents> extents(int file, std::uint64_t limit, bool settled) = 0;
    // A hint to start writing out now what sync() will wait for.
    virtual void startWriteback(int file, std::uint64_t offset, std::uint64_t length) = 0;
    virtual SystemResult<> sync(int file) = 0;

    // Copies mode, owner and extended attributes. Fails if the file system or the user's rights do not allow one of
    // them, except for an owner that is the same anyway.
    virtual SystemResult<> copyAttributes(int from, int to) = 0;
    // Sets the time of the last modification (FileStatus::modified).
    virtual SystemResult<> setModified(int file, std::int64_t time) = 0;

    virtual SystemResult<> rename(const Path& from, const Path& to) = 0;
    virtual SystemResult<> unlink(const Path& path) = 0;
    virtual SystemResult<> syncFolder(const Path& folder) = 0;

    // Takes an advisory lock, which every save respects, until the file is closed. EWOULDBLOCK: it is already locked.
    virtual SystemResult<> lock(int file) = 0;

    // Takes a write lease. The kernel grants it only while nobody else, in this process or another, has the file open
    // or mapped; from then on, a process that opens the file waits until the lease is released (at most
    // /proc/sys/fs/lease-break-time seconds). The same thread takes and releases it. EAGAIN: the file is open
    // elsewhere; EACCES: the user does not own it; any other errno: leases are not supported.
    virtual SystemResult<> takeLease(int file) = 0;
    virtual void releaseLease(int file) = 0;
    // Whether another process has the file open or mapped, as far as the user may see: the processes of other users
    // hide it. Looks through all processes, so it takes milliseconds and must not be called on the UI thread.
    virtual bool isOpenElsewhere(const Path& path, const FileStatus& file) = 0;
};

// The implementation of isOpenElsewhere() for real files.
[[nodiscard]] bool otherProcessHasOpen(const std::filesystem::path& path, const FileStatus& file);

[[nodiscard]] FileOperations& realFileOperations();

// Owns a descriptor and closes it.
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

// Transfer all bytes, with as many calls as that takes. ENODATA: the file ends too early.
SystemResult<> readAll(FileOperations& operations, int file, std::uint64_t offset, std::span<std::byte> out);
SystemResult<> writeAll(FileOperations& operations, int file, std::uint64_t offset, Bytes bytes);

// Whether a source still gives the bytes that it had when it was opened, as far as its file shows: size, modification
// time and inode. A source without an identity, or whose file is gone, is not known to have changed. Another file under
// the same name does not change a mapped one, so that it only matters for SourceUse::Imported, where the user relies on
// the file that has the name. Errors: FileChangedOnDisk; the errors of ByteSource::damage().
enum class SourceUse : std::uint8_t {
    Own,      // a file of the model itself; args of the error: Detail::OpenedFile
    Earlier,  // the state of a file of the model before a save, which changed the file and updated its mapping
    Imported, // a file from which tensors were imported; args of the error: Detail::ImportSource
};
[[nodiscard]] Result<> checkSource(FileOperations& operations, const ByteSource& source, SourceUse use);

} // namespace gufo
