// Real file operations, except that the first change of a file's contents in place writes only half and kills the
// process.
#pragma once

#include "base/file_operations.h"

#include <csignal>
#include <unistd.h>

namespace gufo::test {

class DyingOperations final : public FileOperations {
public:
    SystemResult<Path> resolve(const Path& path) override { return m_real.resolve(path); }
    SystemResult<FileStatus> status(const Path& path) override { return m_real.status(path); }
    SystemResult<> checkWritableFile(const Path& path) override { return m_real.checkWritableFile(path); }
    SystemResult<> checkWritableFolder(const Path& folder) override { return m_real.checkWritableFolder(folder); }
    SystemResult<std::uint64_t> freeSpace(const Path& folder) override { return m_real.freeSpace(folder); }
    Abilities abilities(const Path& path) override { return m_real.abilities(path); }
    SystemResult<int> open(const Path& path, Mode mode) override {
        const auto file = m_real.open(path, mode);
        m_victim = file && mode == Mode::ReadWrite ? *file : m_victim;
        return file;
    }
    SystemResult<int> openUnnamed(const Path& folder) override { return m_real.openUnnamed(folder); }
    void close(int file) override { m_real.close(file); }
    SystemResult<FileStatus> status(int file) override { return m_real.status(file); }
    SystemResult<std::size_t> read(int file, std::uint64_t offset, std::span<std::byte> out) override {
        return m_real.read(file, offset, out);
    }
    SystemResult<std::size_t> write(int file, std::uint64_t offset, Bytes bytes) override {
        if (file != m_victim || ++m_writes == 1) { // the first write marks the file as being written
            return m_real.write(file, offset, bytes);
        }
        (void)m_real.write(file, offset, bytes.first((bytes.size() + 1) / 2));
        ::kill(::getpid(), SIGKILL);
        return std::unexpected(0);
    }
    SystemResult<std::uint64_t> copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                          std::uint64_t length) override {
        return m_real.copyRange(from, fromOffset, to, toOffset, length);
    }
    SystemResult<> cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                              std::uint64_t length) override {
        return m_real.cloneRange(from, fromOffset, to, toOffset, length);
    }
    SystemResult<> setModified(int file, std::int64_t time) override { return m_real.setModified(file, time); }
    SystemResult<> resize(int file, std::uint64_t size) override { return m_real.resize(file, size); }
    SystemResult<> insertRange(int file, std::uint64_t offset, std::uint64_t length) override {
        return m_real.insertRange(file, offset, length);
    }
    SystemResult<> collapseRange(int file, std::uint64_t offset, std::uint64_t length) override {
        return m_real.collapseRange(file, offset, length);
    }
    SystemResult<FileExtents> extents(int file, std::uint64_t maximum, bool settled) override {
        return m_real.extents(file, maximum, settled);
    }
    void startWriteback(int file, std::uint64_t offset, std::uint64_t length) override {
        m_real.startWriteback(file, offset, length);
    }
    SystemResult<> sync(int file) override { return m_real.sync(file); }
    SystemResult<> copyAttributes(int from, int to) override { return m_real.copyAttributes(from, to); }
    SystemResult<> rename(const Path& from, const Path& to) override { return m_real.rename(from, to); }
    SystemResult<> unlink(const Path& path) override { return m_real.unlink(path); }
    SystemResult<> syncFolder(const Path& folder) override { return m_real.syncFolder(folder); }
    SystemResult<> lock(int file) override { return m_real.lock(file); }
    SystemResult<> takeLease(int file) override { return m_real.takeLease(file); }
    void releaseLease(int file) override { m_real.releaseLease(file); }
    bool isOpenElsewhere(const Path& path, const FileStatus& file) override {
        return m_real.isOpenElsewhere(path, file);
    }

private:
    FileOperations& m_real = realFileOperations();
    int m_victim = -1;
    int m_writes = 0; // to the victim
};

} // namespace gufo::test
