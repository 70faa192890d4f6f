#include "simulated_disk.h"

#include <cerrno>
#include <cstring>

namespace gufo::test {
namespace {

constexpr std::uint64_t kMoves = 4; // in which the blocks after the offset are moved

std::uint64_t blocksOf(std::uint64_t bytes) { return (bytes + SimulatedDisk::kBlock - 1) / SimulatedDisk::kBlock; }

} // namespace

SimulatedDisk::SimulatedDisk(const std::map<std::string, FileBytes>& files) {
    for (const auto& [name, bytes] : files) {
        m_durableInodes[m_nextInode] = std::make_shared<File>(File{bytes, std::vector(blocksOf(bytes.size()), true)});
        m_durableNames[name] = m_nextInode++;
    }
    m_names = m_durableNames;
    m_inodes = m_durableInodes;
}

const SimulatedDisk::File& SimulatedDisk::fileOf(const Inodes& inodes, std::uint64_t inode) {
    static const File kEmpty;
    const auto found = inodes.find(inode);
    return found != inodes.end() ? *found->second : kEmpty;
}

SimulatedDisk::File& SimulatedDisk::changing(Inodes& inodes, std::uint64_t inode) {
    std::shared_ptr<File>& file = inodes[inode];
    if (file == nullptr || file.use_count() != 1) {
        file = std::make_shared<File>(file != nullptr ? *file : File());
    }
    return *file;
}

std::map<std::string, std::string_view> SimulatedDisk::views() const {
    std::map<std::string, std::string_view> files;
    for (const auto& [name, inode] : m_names) {
        files[name] = fileOf(m_inodes, inode).bytes; // empty if the file has a name but its contents are lost
    }
    return files;
}

std::map<std::string, FileBytes> SimulatedDisk::content() const {
    const auto files = views();
    return {files.begin(), files.end()};
}

void SimulatedDisk::putHole(File& file, std::uint64_t block, std::uint64_t length) {
    file.bytes.insert(std::min<std::size_t>(block * kBlock, file.bytes.size()), length, '\0');
    const auto at = static_cast<std::ptrdiff_t>(std::min<std::size_t>(block, file.written.size()));
    file.written.insert(file.written.begin() + at, length / kBlock, false);
}

void SimulatedDisk::takeOut(File& file, std::uint64_t offset, std::uint64_t length) {
    file.bytes.erase(std::min<std::size_t>(offset, file.bytes.size()), length);
    const std::size_t first = std::min<std::size_t>(offset / kBlock, file.written.size());
    const std::size_t last = std::min<std::size_t>(first + length / kBlock, file.written.size());
    file.written.erase(file.written.begin() + static_cast<std::ptrdiff_t>(first),
                       file.written.begin() + static_cast<std::ptrdiff_t>(last));
}

void SimulatedDisk::apply(File& file, const FileChange& change) {
    std::visit(
        [&]<typename T>(const T& c) {
            if constexpr (std::is_same_v<T, Write>) {
                file.bytes.resize(std::max<std::size_t>(file.bytes.size(), c.offset + c.bytes.size()));
                file.bytes.replace(c.offset, c.bytes.size(), c.bytes);
                file.written.resize(blocksOf(file.bytes.size()));
                std::fill(file.written.begin() + static_cast<std::ptrdiff_t>(c.offset / kBlock),
                          file.written.begin() + static_cast<std::ptrdiff_t>(blocksOf(c.offset + c.bytes.size())),
                          true);
            } else if constexpr (std::is_same_v<T, Resize>) {
                file.bytes.resize(c.size);
                file.written.resize(blocksOf(c.size));
            } else if constexpr (std::is_same_v<T, Insert>) {
                putHole(file, c.offset / kBlock, c.length);
            } else {
                takeOut(file, c.offset, c.length);
            }
        },
        change);
}

// Inserting first grows the file and then moves pieces, starting from its end. Removing first drops the blocks, then
// moves pieces from the front, and finally shrinks the file.
void SimulatedDisk::applyTorn(File& file, const FileChange& shift, std::uint64_t pieces) {
    if (pieces == 0) {
        return;
    }
    const std::uint64_t moves = std::min(pieces - 1, kMoves);
    if (const auto* insert = std::get_if<Insert>(&shift)) {
        const std::uint64_t first = insert->offset / kBlock;
        const std::uint64_t behind = file.written.size() - std::min<std::uint64_t>(first, file.written.size());
        putHole(file, first + behind * (kMoves - moves) / kMoves, insert->length);
        return;
    }
    const Collapse& collapse = std::get<Collapse>(shift);
    takeOut(file, collapse.offset, collapse.length);
    if (pieces < kShiftPieces) {
        const std::uint64_t first = collapse.offset / kBlock;
        const std::uint64_t behind = file.written.size() - std::min<std::uint64_t>(first, file.written.size());
        putHole(file, first + behind * moves / kMoves, collapse.length);
    }
}

bool SimulatedDisk::isShift(std::size_t pending) const {
    const auto* change = std::get_if<FileChange>(&m_pending[pending].change);
    return change != nullptr && (std::holds_alternative<Insert>(*change) || std::holds_alternative<Collapse>(*change));
}

void SimulatedDisk::apply(Names& names, const FolderChange& change) {
    std::visit(
        [&]<typename T>(const T& c) {
            if constexpr (std::is_same_v<T, Link>) {
                names[c.name] = c.inode;
            } else if constexpr (std::is_same_v<T, Unlink>) {
                names.erase(c.name);
            } else {
                names.erase(c.from);
                names[c.to] = c.inode;
            }
        },
        change);
}

SimulatedDisk SimulatedDisk::afterCrash(const std::function<bool(Change)>& keeps, bool torn) const {
    Names names = m_durableNames;
    Inodes inodes = m_durableInodes;
    for (std::size_t i = 0; i < m_pending.size(); ++i) {
        const Pending& pending = m_pending[i];
        if (const auto* folder = std::get_if<FolderChange>(&pending.change)) {
            if (keeps({i, 0})) {
                apply(names, *folder);
            }
            continue;
        }
        const FileChange& change = std::get<FileChange>(pending.change);
        if (torn && isShift(i)) {
            std::uint64_t pieces = 0;
            while (pieces < kShiftPieces && keeps({i, pieces})) {
                ++pieces;
            }
            applyTorn(changing(inodes, pending.inode), change, pieces);
            continue;
        }
        const auto* write = std::get_if<Write>(&change);
        if (!torn || write == nullptr) {
            if (keeps({i, 0})) {
                apply(changing(inodes, pending.inode), change);
            }
            continue;
        }
        for (std::uint64_t at = 0, piece = 0; at < write->bytes.size(); ++piece) {
            const std::uint64_t end = std::min<std::uint64_t>(
                (write->offset + at) / kSector * kSector + kSector - write->offset, write->bytes.size());
            if (keeps({i, piece})) {
                apply(changing(inodes, pending.inode), Write{write->offset + at, write->bytes.substr(at, end - at)});
            }
            at = end;
        }
    }
    SimulatedDisk disk;
    disk.m_names = disk.m_durableNames = std::move(names);
    disk.m_inodes = disk.m_durableInodes = std::move(inodes);
    disk.m_nextInode = m_nextInode;
    disk.sharesBlocks = sharesBlocks;
    return disk;
}

SimulatedDisk SimulatedDisk::copied() const {
    constexpr std::uint64_t kOtherInodes = 1'000'000;
    SimulatedDisk disk;
    for (const auto& [name, inode] : m_names) {
        disk.m_names[name] = kOtherInodes + inode;
        disk.m_inodes[kOtherInodes + inode] = std::make_shared<File>(fileOf(m_inodes, inode));
    }
    disk.m_durableNames = disk.m_names;
    disk.m_durableInodes = disk.m_inodes;
    disk.m_nextInode = kOtherInodes + m_nextInode;
    return disk;
}

SystemResult<SimulatedDisk::Path> SimulatedDisk::resolve(const Path& path) {
    return m_names.contains(path.filename().native()) ? SystemResult<Path>(path) : std::unexpected(ENOENT);
}

SystemResult<FileStatus> SimulatedDisk::status(const Path& path) {
    const auto found = m_names.find(path.filename().native());
    if (found == m_names.end()) {
        return std::unexpected(ENOENT);
    }
    return FileStatus{.device = ~std::uint64_t{0},
                      .inode = found->second,
                      .size = fileOf(m_inodes, found->second).bytes.size(),
                      .mode = 0644,
                      .blockSize = kBlock};
}

SystemResult<int> SimulatedDisk::open(const Path& path, Mode mode) {
    const std::string name = path.filename().native();
    const auto found = m_names.find(name);
    if (mode != Mode::CreateNew) {
        if (found == m_names.end()) {
            return std::unexpected(ENOENT);
        }
        m_handles.push_back(found->second);
        return static_cast<int>(m_handles.size()) - 1;
    }
    if (found != m_names.end()) {
        return std::unexpected(EEXIST);
    }
    const std::uint64_t inode = m_nextInode++;
    m_inodes[inode] = std::make_shared<File>();
    m_names[name] = inode;
    if (!alive()) {
        return std::unexpected(EIO);
    }
    if (!losesJournals || !name.ends_with(".gufo-journal")) {
        m_pending.push_back({0, FolderChange(Link{name, inode})});
    }
    m_handles.push_back(inode);
    return static_cast<int>(m_handles.size()) - 1;
}

SystemResult<FileStatus> SimulatedDisk::status(int file) {
    const std::uint64_t inode = m_handles[static_cast<std::size_t>(file)];
    return FileStatus{.device = ~std::uint64_t{0},
                      .inode = inode,
                      .size = fileOf(m_inodes, inode).bytes.size(),
                      .mode = 0644,
                      .blockSize = kBlock};
}

SystemResult<std::size_t> SimulatedDisk::read(int file, std::uint64_t offset, std::span<std::byte> out) {
    const FileBytes& bytes = fileOf(m_inodes, m_handles[static_cast<std::size_t>(file)]).bytes;
    if (offset >= bytes.size()) {
        return 0U;
    }
    const std::size_t count = std::min<std::size_t>(out.size(), bytes.size() - offset);
    std::memcpy(out.data(), bytes.data() + offset, count);
    return count;
}

SystemResult<> SimulatedDisk::change(int file, FileChange change) {
    if (!alive()) {
        return std::unexpected(EIO);
    }
    const std::uint64_t inode = m_handles[static_cast<std::size_t>(file)];
    apply(changing(m_inodes, inode), change);
    m_pending.push_back({inode, std::move(change)});
    return {};
}

SystemResult<> SimulatedDisk::change(FolderChange change) {
    if (!alive()) {
        return std::unexpected(EIO);
    }
    apply(m_names, change);
    m_pending.push_back({0, std::move(change)});
    return {};
}

SystemResult<std::size_t> SimulatedDisk::write(int file, std::uint64_t offset, Bytes bytes) {
    const auto done = change(file, Write{offset, FileBytes(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
    return done ? SystemResult<std::size_t>(bytes.size()) : std::unexpected(done.error());
}

SystemResult<std::uint64_t> SimulatedDisk::copyRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                                     std::uint64_t length) {
    const FileBytes bytes =
        fileOf(m_inodes, m_handles[static_cast<std::size_t>(from)]).bytes.substr(fromOffset, length);
    const auto done = change(to, Write{toOffset, bytes});
    return done ? SystemResult<std::uint64_t>(bytes.size()) : std::unexpected(done.error());
}

SystemResult<> SimulatedDisk::cloneRange(int from, std::uint64_t fromOffset, int to, std::uint64_t toOffset,
                                         std::uint64_t length) {
    if (!sharesBlocks) {
        return std::unexpected(EOPNOTSUPP);
    }
    if (fromOffset % kBlock != 0 || toOffset % kBlock != 0 || length % kBlock != 0) {
        return std::unexpected(EINVAL);
    }
    const FileBytes& bytes = fileOf(m_inodes, m_handles[static_cast<std::size_t>(from)]).bytes;
    return change(to, Write{toOffset, bytes.substr(fromOffset, length != 0 ? length : FileBytes::npos)});
}

SystemResult<> SimulatedDisk::resize(int file, std::uint64_t size) { return change(file, Resize{size}); }

SystemResult<> SimulatedDisk::insertRange(int file, std::uint64_t offset, std::uint64_t length) {
    const bool fitsBlocks = offset % kBlock == 0 && length % kBlock == 0;
    const bool inside = offset < fileOf(m_inodes, m_handles[static_cast<std::size_t>(file)]).bytes.size();
    return fitsBlocks && inside ? change(file, Insert{offset, length}) : std::unexpected(EINVAL);
}

SystemResult<> SimulatedDisk::collapseRange(int file, std::uint64_t offset, std::uint64_t length) {
    const bool fitsBlocks = offset % kBlock == 0 && length % kBlock == 0;
    const bool inside = offset + length < fileOf(m_inodes, m_handles[static_cast<std::size_t>(file)]).bytes.size();
    return fitsBlocks && inside ? change(file, Collapse{offset, length}) : std::unexpected(EINVAL);
}

SystemResult<FileExtents> SimulatedDisk::extents(int file, std::uint64_t, bool) {
    const std::vector<bool>& written = fileOf(m_inodes, m_handles[static_cast<std::size_t>(file)]).written;
    FileExtents all;
    for (std::size_t block = 0; block < written.size(); ++block) {
        if (written[block] && block != 0 && written[block - 1]) {
            all.written.back().length += kBlock;
        } else if (written[block]) {
            all.written.push_back({block * kBlock, kBlock});
        }
    }
    all.count = all.written.size();
    return all;
}

bool SimulatedDisk::skips(Syncs kind) {
    return (countedSyncs == Syncs::All || countedSyncs == kind) && skippedSync == syncs++;
}

void SimulatedDisk::flush(std::uint64_t inode) {
    std::erase_if(m_pending, [&](const Pending& pending) {
        if (pending.inode != inode) {
            return false;
        }
        if (inode == 0) {
            apply(m_durableNames, std::get<FolderChange>(pending.change));
        } else {
            apply(changing(m_durableInodes, inode), std::get<FileChange>(pending.change));
        }
        return true;
    });
}

SystemResult<> SimulatedDisk::sync(int file) {
    if (!alive()) {
        return std::unexpected(EIO);
    }
    if (!skips(Syncs::OfFiles)) {
        flush(m_handles[static_cast<std::size_t>(file)]);
    }
    return {};
}

SystemResult<> SimulatedDisk::rename(const Path& from, const Path& to) {
    const auto found = m_names.find(from.filename().native());
    if (found == m_names.end()) {
        return std::unexpected(ENOENT);
    }
    return change(Rename{from.filename().native(), to.filename().native(), found->second});
}

SystemResult<> SimulatedDisk::unlink(const Path& path) {
    return m_names.contains(path.filename().native()) ? change(Unlink{path.filename().native()})
                                                      : std::unexpected(ENOENT);
}

SystemResult<> SimulatedDisk::syncFolder(const Path&) {
    if (!alive()) {
        return std::unexpected(EIO);
    }
    if (!skips(Syncs::OfFolder)) {
        flush(0);
    }
    return {};
}

} // namespace gufo::test
