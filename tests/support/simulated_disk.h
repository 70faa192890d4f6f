// A simulated disk with volatile writes: what was not synced may or may not survive a crash, in any combination and
// order.
//
// It is harsher than real file systems: the name of a new file can be lost although the file was synced, the entries of
// a folder are written independently, and a write can be torn between any two sectors. Inserting or removing blocks
// moves the others in pieces, one after another, as on ext4 and XFS.
#pragma once

#include "base/file_operations.h"
#include "save_helpers.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gufo::test {

class SimulatedDisk final : public FileOperations {
public:
    static constexpr std::uint64_t kSector = 512;
    static constexpr std::uint32_t kBlock = 4096;

    explicit SimulatedDisk(const std::map<std::string, FileBytes>& files = {});

    // For the mutation test: the sync with this number (from 0) of its kind does nothing, or journals never
    // reach the folder.
    enum class Syncs : std::uint8_t { All, OfFiles, OfFolder };
    Syncs countedSyncs = Syncs::All;
    std::optional<int> skippedSync{};
    bool losesJournals = false;
    int syncs = 0;
    bool sharesBlocks = false;

    // Called before each operation that changes something. After it returns false, all operations fail.
    std::function<bool()> beforeChange = [] { return true; };

    // The contents as programs see them now.
    [[nodiscard]] std::map<std::string, FileBytes> content() const;
    // The same without copying; valid until the disk changes.
    [[nodiscard]] std::map<std::string, std::string_view> views() const;

    // The disk after a crash now. Of the unsynced changes those survive for which `keeps` returns true. With `torn`, it
    // is asked about a write sector by sector, and about a shift piece by piece until the first that does not survive.
    struct Change {
        std::size_t number;  // among the pending changes
        std::uint64_t piece; // of a torn write or shift
    };
    static constexpr std::uint64_t kShiftPieces = 6;
    [[nodiscard]] SimulatedDisk afterCrash(const std::function<bool(Change)>& keeps, bool torn) const;
    // The same files on another disk: with other inodes, and with their holes.
    [[nodiscard]] SimulatedDisk copied() const;
    [[nodiscard]] std::size_t pendingChanges() const { return m_pending.size(); }
    [[nodiscard]] bool isShift(std::size_t pending) const;

    SystemResult<Path> resolve(const Path& path) override;
    SystemResult<FileStatus> status(const Path& path) override;
    SystemResult<> checkWritableFile(const Path&) override { return {}; }
    SystemResult<> checkWritableFolder(const Path&) override { return {}; }
    SystemResult<std::uint64_t> freeSpace(const Path&) override { return std::uint64_t{1} << 40U; }
    Abilities abilities(const Path&) override { return {.insertsRanges = true, .sharesBlocks = sharesBlocks}; }
    SystemResult<int> open(const Path& path, Mode mode) override;
    SystemResult<int> openUnnamed(const Path&) override { return std::unexpected(EOPNOTSUPP); }
    void close(int) override {}
    SystemResult<FileStatus> status(int file) override;
    SystemResult<std::size_t> read(int file, std::uint64_t offset, std::span<std::byte> out) override;
    SystemResult<std::size_t> write(int file, std::uint64_t offset, Bytes bytes) override;
    SystemResult<std::uint64_t> copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                          std::uint64_t length) override;
    SystemResult<> cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                              std::uint64_t length) override;
    SystemResult<> resize(int file, std::uint64_t size) override;
    SystemResult<> insertRange(int file, std::uint64_t offset, std::uint64_t length) override;
    SystemResult<> collapseRange(int file, std::uint64_t offset, std::uint64_t length) override;
    SystemResult<FileExtents> extents(int file, std::uint64_t maximum, bool settled) override;
    void startWriteback(int, std::uint64_t, std::uint64_t) override {}
    SystemResult<> sync(int file) override;
    SystemResult<> copyAttributes(int, int) override { return {}; }
    SystemResult<> setModified(int, std::int64_t) override { return {}; } // its files have no times
    SystemResult<> rename(const Path& from, const Path& to) override;
    SystemResult<> unlink(const Path& path) override;
    SystemResult<> syncFolder(const Path& folder) override;
    SystemResult<> lock(int) override { return {}; }
    SystemResult<> takeLease(int) override { return {}; }
    void releaseLease(int) override {}
    bool isOpenElsewhere(const Path&, const FileStatus&) override { return false; }

private:
    struct Write {
        std::uint64_t offset;
        FileBytes bytes;
    };
    struct Resize {
        std::uint64_t size;
    };
    struct Insert {
        std::uint64_t offset;
        std::uint64_t length;
    };
    struct Collapse {
        std::uint64_t offset;
        std::uint64_t length;
    };
    // Changes of the single folder: a name appears, disappears or is renamed.
    struct Link {
        std::string name;
        std::uint64_t inode;
    };
    struct Unlink {
        std::string name;
    };
    struct Rename {
        std::string from;
        std::string to;
        std::uint64_t inode;
    };
    using FileChange = std::variant<Write, Resize, Insert, Collapse>;
    using FolderChange = std::variant<Link, Unlink, Rename>;
    struct Pending {
        std::uint64_t inode; // 0 means the folder
        std::variant<FileChange, FolderChange> change;
    };
    using Names = std::map<std::string, std::uint64_t>;
    struct File {
        FileBytes bytes;
        std::vector<bool> written; // by block; the others are holes
    };
    // Shared by the possible disks after a crash until one changes it.
    using Inodes = std::map<std::uint64_t, std::shared_ptr<File>>;

    [[nodiscard]] static const File& fileOf(const Inodes& inodes, std::uint64_t inode);
    [[nodiscard]] static File& changing(Inodes& inodes, std::uint64_t inode);
    static void apply(File& file, const FileChange& change);
    static void putHole(File& file, std::uint64_t block, std::uint64_t length);
    static void takeOut(File& file, std::uint64_t offset, std::uint64_t length);
    static void applyTorn(File& file, const FileChange& shift, std::uint64_t pieces);
    static void apply(Names& names, const FolderChange& change);
    [[nodiscard]] bool alive() { return m_alive && (m_alive = beforeChange()); }
    SystemResult<> change(int file, FileChange change);
    SystemResult<> change(FolderChange change);
    [[nodiscard]] bool skips(Syncs kind);
    void flush(std::uint64_t inode);

    Names m_names;
    Inodes m_inodes;
    Names m_durableNames;
    Inodes m_durableInodes;
    std::vector<Pending> m_pending;
    std::vector<std::uint64_t> m_handles; // inodes by handle
    std::uint64_t m_nextInode = 1;
    bool m_alive = true;
};

} // namespace gufo::test
