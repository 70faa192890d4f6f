// Real file operations with a hook before each: a test can end the process, shut down the file system or let an
// operation fail.
#pragma once

#include "base/file_operations.h"

#include <cerrno>
#include <functional>
#include <optional>
#include <string>

namespace gufo::test {

class HookedOperations final : public FileOperations {
public:
    // Called before each operation that may change something or fail; numbers count from 0. Returns an errno to let the
    // operation fail, kHalf to let a write stop half-way (successfully), or 0.
    static constexpr int kHalf = -1;
    struct Call {
        int number;
        const char* name;
    };
    std::function<int(const Call&)> before = [](const Call&) { return 0; };
    std::function<void(const Call&)> after = [](const Call&) {};
    int calls = 0;
    std::uint64_t bytesRead = 0;
    // A killed process loses nothing that it has written, so tests that only kill need not wait for the disk.
    bool reallySyncs = false;
    std::optional<std::uint64_t> space{}; // that the disk has left, instead of its own

    explicit HookedOperations(FileOperations& inner = realFileOperations())
        : m_inner(inner) {}

    SystemResult<Path> resolve(const Path& path) override { return m_inner.resolve(path); }
    SystemResult<FileStatus> status(const Path& path) override { return m_inner.status(path); }
    SystemResult<> checkWritableFile(const Path& path) override { return m_inner.checkWritableFile(path); }
    SystemResult<> checkWritableFolder(const Path& folder) override { return m_inner.checkWritableFolder(folder); }
    SystemResult<std::uint64_t> freeSpace(const Path& folder) override {
        return space ? SystemResult<std::uint64_t>(*space) : m_inner.freeSpace(folder);
    }
    Abilities abilities(const Path& path) override { return m_inner.abilities(path); }
    SystemResult<int> open(const Path& path, Mode mode) override {
        return hooked<SystemResult<int>>(mode == Mode::CreateNew ? "create" : "open",
                                         [&] { return m_inner.open(path, mode); });
    }
    SystemResult<int> openUnnamed(const Path& folder) override { return m_inner.openUnnamed(folder); }
    void close(int file) override { m_inner.close(file); }
    SystemResult<FileStatus> status(int file) override {
        return hooked<SystemResult<FileStatus>>("status", [&] { return m_inner.status(file); });
    }
    SystemResult<std::size_t> read(int file, std::uint64_t offset, std::span<std::byte> out) override {
        auto read = hooked<SystemResult<std::size_t>>("read", [&] { return m_inner.read(file, offset, out); });
        bytesRead += read.value_or(0);
        return read;
    }
    SystemResult<std::size_t> write(int file, std::uint64_t offset, Bytes bytes) override {
        const auto call = [&] { return m_inner.write(file, offset, bytes); };
        const auto half = [&] { return m_inner.write(file, offset, bytes.first((bytes.size() + 1) / 2)); };
        return hooked<SystemResult<std::size_t>>("write", call, half);
    }
    SystemResult<std::uint64_t> copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                          std::uint64_t length) override {
        const auto copy = [&](std::uint64_t bytes) { return m_inner.copyRange(from, fromOffset, to, toOffset, bytes); };
        return hooked<SystemResult<std::uint64_t>>(
            "copyRange", [&] { return copy(length); }, [&] { return copy((length + 1) / 2); });
    }
    SystemResult<> cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                              std::uint64_t length) override {
        return hooked<SystemResult<>>("cloneRange",
                                      [&] { return m_inner.cloneRange(from, fromOffset, to, toOffset, length); });
    }
    SystemResult<> resize(int file, std::uint64_t size) override {
        return hooked<SystemResult<>>("resize", [&] { return m_inner.resize(file, size); });
    }
    SystemResult<> insertRange(int file, std::uint64_t offset, std::uint64_t length) override {
        return hooked<SystemResult<>>("insertRange", [&] { return m_inner.insertRange(file, offset, length); });
    }
    SystemResult<> collapseRange(int file, std::uint64_t offset, std::uint64_t length) override {
        return hooked<SystemResult<>>("collapseRange", [&] { return m_inner.collapseRange(file, offset, length); });
    }
    SystemResult<FileExtents> extents(int file, std::uint64_t maximum, bool settled) override {
        return m_inner.extents(file, maximum, settled);
    }
    void startWriteback(int file, std::uint64_t offset, std::uint64_t length) override {
        m_inner.startWriteback(file, offset, length);
    }
    SystemResult<> sync(int file) override {
        return hooked<SystemResult<>>("sync", [&] { return reallySyncs ? m_inner.sync(file) : SystemResult<>(); });
    }
    SystemResult<> copyAttributes(int from, int to) override {
        return hooked<SystemResult<>>("copyAttributes", [&] { return m_inner.copyAttributes(from, to); });
    }
    SystemResult<> setModified(int file, std::int64_t time) override {
        return hooked<SystemResult<>>("setModified", [&] { return m_inner.setModified(file, time); });
    }
    SystemResult<> rename(const Path& from, const Path& to) override {
        return hooked<SystemResult<>>("rename", [&] { return m_inner.rename(from, to); });
    }
    SystemResult<> unlink(const Path& path) override {
        return hooked<SystemResult<>>("unlink", [&] { return m_inner.unlink(path); });
    }
    SystemResult<> syncFolder(const Path& folder) override {
        return hooked<SystemResult<>>("syncFolder",
                                      [&] { return reallySyncs ? m_inner.syncFolder(folder) : SystemResult<>(); });
    }
    SystemResult<> lock(int file) override { return m_inner.lock(file); }
    SystemResult<> takeLease(int file) override { return m_inner.takeLease(file); }
    void releaseLease(int file) override { m_inner.releaseLease(file); }
    bool isOpenElsewhere(const Path& path, const FileStatus& file) override {
        return m_inner.isOpenElsewhere(path, file);
    }

private:
    template<typename R>
    R hooked(const char* name, const std::function<R()>& call, const std::function<R()>& half = {}) {
        const Call now{calls++, name};
        const int verdict = before(now);
        if (verdict > 0) {
            return std::unexpected(verdict);
        }
        R result = verdict == kHalf && half ? half() : call();
        after(now);
        return result;
    }

    FileOperations& m_inner;
};

} // namespace gufo::test
