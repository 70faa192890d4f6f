#include "formats/gguf/recover/undo.h"

#include "base/quick_hash.h"
#include "formats/gguf/recover/torn_shift.h"

#include <algorithm>
#include <limits>

namespace gufo::gguf {
namespace {

using Magic = std::array<std::byte, 4>;

SystemResult<std::vector<std::byte>> readRange(FileOperations& operations, int file, ByteRange range) {
    std::vector<std::byte> bytes(range.length);
    const auto read = readAll(operations, file, range.offset, bytes);
    return read ? SystemResult<std::vector<std::byte>>(std::move(bytes)) : std::unexpected(read.error());
}

SystemResult<bool> hasRanges(FileOperations& operations, int file, const UndoEntry& entry) {
    for (const SavedRange& range : entry.ranges) {
        const auto bytes = readRange(operations, file, {range.offset, range.bytes.size()});
        if (!bytes) {
            return std::unexpected(bytes.error());
        }
        if (!std::ranges::equal(*bytes, range.bytes)) {
            return false;
        }
    }
    return true;
}

// Whether the blocks were moved: the size tells, and the data must be where it says.
bool isShifted(std::uint64_t size, const UndoEntry& entry) {
    return entry.shift != 0 && size == entry.oldSize + static_cast<std::uint64_t>(entry.shift);
}

// Where the hole of a shift is that was torn.
SystemResult<std::optional<std::uint64_t>> findTear(FileOperations& operations, int file, const UndoEntry& entry,
                                                    std::uint64_t size) {
    if (entry.shift == 0 || size != std::max(entry.oldSize, entry.newSize)) {
        return std::nullopt;
    }
    const auto extents = operations.extents(file, std::numeric_limits<std::uint64_t>::max(), true);
    if (!extents) {
        return std::unexpected(extents.error());
    }
    return tornAt(entry, size, extents->written);
}

SystemResult<> mendTear(FileOperations& operations, int file, const UndoEntry& entry) {
    const auto status = operations.status(file);
    if (!status) {
        return std::unexpected(status.error());
    }
    const auto tear = findTear(operations, file, entry, status->size);
    if (!tear || !*tear) {
        return tear ? SystemResult<>() : std::unexpected(tear.error());
    }
    const std::uint64_t shorter = std::min(entry.oldSize, entry.newSize);
    const auto mended = **tear >= shorter ? operations.resize(file, shorter)
                                          : operations.collapseRange(file, **tear, status->size - shorter);
    return mended ? operations.sync(file) : mended; // before anything is written by the offsets that now are right
}

// quickHash of the front of what lies between two offsets of a file as it is without its tear: a hole at `tear`.
SystemResult<std::uint64_t> hashAround(FileOperations& operations, int file, std::uint64_t begin, std::uint64_t end,
                                       std::uint64_t tear, std::uint64_t hole) {
    std::vector<std::byte> sample(std::min(kDataSample, end - std::min(begin, end)));
    const std::uint64_t before = std::min<std::uint64_t>(sample.size(), tear - std::min(tear, begin));
    auto read = readAll(operations, file, begin, std::span(sample).first(before));
    if (read) {
        read = readAll(operations, file, begin + before + hole, std::span(sample).subspan(before));
    }
    return read ? SystemResult<std::uint64_t>(quickHash(sample)) : std::unexpected(read.error());
}

} // namespace

SystemResult<std::uint64_t> hashData(FileOperations& operations, int file, std::uint64_t dataOffset,
                                     std::uint64_t dataEnd) {
    return hashAround(operations, file, dataOffset, dataEnd, dataEnd, 0);
}

SystemResult<FileState> stateOf(FileOperations& operations, int file, const UndoEntry& entry) {
    const auto status = operations.status(file);
    if (!status) {
        return std::unexpected(status.error());
    }
    const std::uint64_t size = status->size;
    const bool knownSize = size == entry.oldSize || size == entry.newSize;
    if (status->inode != entry.inode || !knownSize) {
        return FileState::Foreign;
    }
    Magic magic{};
    if (const auto read = readAll(operations, file, 0, magic); !read) {
        return std::unexpected(read.error());
    }
    const auto tear = magic != entry.magic ? findTear(operations, file, entry, size) : std::nullopt;
    if (!tear) {
        return std::unexpected(tear.error());
    }
    const std::uint64_t dataEnd = std::min(entry.oldSize, entry.newSize - static_cast<std::uint64_t>(entry.shift));
    // Without its tear a file has the shorter layout of the two.
    const bool moved = *tear ? entry.shift < 0 : isShifted(size, entry);
    const std::uint64_t by = moved ? static_cast<std::uint64_t>(entry.shift) : 0;
    const std::uint64_t hole = *tear ? size - std::min(entry.oldSize, entry.newSize) : 0;
    const auto hash = hashAround(operations, file, entry.oldDataOffset + by, dataEnd + by, tear->value_or(size), hole);
    if (!hash) {
        return std::unexpected(hash.error());
    }
    if (*hash != entry.dataHash) {
        return FileState::Foreign;
    }
    // kUnfinishedMagic; zeros, where blocks were inserted at the very front; a write that was cut short.
    if (magic != entry.magic) {
        return FileState::Unfinished;
    }
    if (size == entry.newSize) {
        const auto header = readRange(operations, file, {0, entry.newHeaderBytes});
        if (!header) {
            return std::unexpected(header.error());
        }
        if (quickHash(*header) == entry.newHeaderHash) {
            return FileState::New;
        }
    }
    const auto old = size == entry.oldSize ? hasRanges(operations, file, entry) : SystemResult<bool>(false);
    return !old ? SystemResult<FileState>(std::unexpected(old.error())) : *old ? FileState::Old : FileState::Foreign;
}

SystemResult<> shiftBlocks(FileOperations& operations, int file, std::uint64_t at, std::int64_t by) {
    const auto length = static_cast<std::uint64_t>(by > 0 ? by : -by);
    if (by < 0 && at == 0) {
        auto marked = writeAll(operations, file, length, kUnfinishedMagic);
        marked = marked ? operations.sync(file) : marked;
        if (!marked) {
            return marked;
        }
    }
    const auto shifted = by > 0 ? operations.insertRange(file, at, length) : operations.collapseRange(file, at, length);
    // Nothing may be written by the new offsets before they are there. After blocks were taken out, what is written
    // lies in the part of the old header that is kept.
    return shifted && by > 0 ? operations.sync(file) : shifted;
}

SystemResult<> undo(FileOperations& operations, int file, const UndoEntry& entry) {
    if (auto mended = mendTear(operations, file, entry); !mended) {
        return mended;
    }
    const auto status = operations.status(file);
    if (!status) {
        return std::unexpected(status.error());
    }
    Magic magic{};
    // Each step only if the one before it has succeeded.
    SystemResult<> done = readAll(operations, file, 0, magic);
    const auto then = [&](auto step) {
        if (done) {
            done = step();
        }
    };
    if (magic == entry.magic) {
        then([&] { return writeAll(operations, file, 0, kUnfinishedMagic); });
        then([&] { return operations.sync(file); });
    }
    if (isShifted(status->size, entry)) {
        then([&] { return shiftBlocks(operations, file, entry.shiftAt, -entry.shift); });
    } else if (status->size != entry.oldSize) {
        then([&] { return operations.resize(file, entry.oldSize); });
    }
    for (const SavedRange& range : entry.ranges) {
        then([&] { return writeAll(operations, file, range.offset, range.bytes); });
    }
    then([&] { return operations.sync(file); });
    then([&] { return writeAll(operations, file, 0, entry.magic); });
    then([&] { return operations.sync(file); });
    return done;
}

} // namespace gufo::gguf
