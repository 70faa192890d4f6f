#include "formats/save/undo.h"

#include "base/quick_hash.h"

#include <algorithm>
#include <cerrno>
#include <limits>

namespace gufo::saving {
namespace {

using Layout = std::vector<ByteRange>;

void append(Layout& layout, std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) {
        return;
    }
    if (!layout.empty() && layout.back().offset + layout.back().length == begin) {
        layout.back().length += end - begin;
    } else {
        layout.push_back({begin, end - begin});
    }
}

Layout upTo(std::uint64_t end, std::span<const ByteRange> written) {
    Layout layout;
    for (const ByteRange& range : written) {
        append(layout, range.offset, std::min(range.offset + range.length, end));
    }
    return layout;
}

// Returns the layout after `length` bytes were removed at `at`.
Layout without(std::span<const ByteRange> layout, std::uint64_t at, std::uint64_t length) {
    Layout shorter;
    for (const ByteRange& range : layout) {
        const std::uint64_t end = range.offset + range.length;
        append(shorter, range.offset, std::min(end, at));
        append(shorter, std::max(range.offset, at + length) - length, std::max(end, at + length) - length);
    }
    return shorter;
}
Layout withHole(std::span<const ByteRange> layout, std::uint64_t at, std::uint64_t length) {
    Layout longer;
    for (const ByteRange& range : layout) {
        const std::uint64_t end = range.offset + range.length;
        append(longer, range.offset, std::min(end, at));
        append(longer, std::max(range.offset, at) + length, end + length);
    }
    return longer;
}

std::uint64_t endOf(std::span<const ByteRange> layout) {
    return layout.empty() ? 0 : layout.back().offset + layout.back().length;
}

// The first byte that only one of the two layouts has, or the end of both.
std::uint64_t firstDifference(std::span<const ByteRange> a, std::span<const ByteRange> b) {
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
        if (i == a.size() || i == b.size()) {
            return i == a.size() ? b[i].offset : a[i].offset;
        }
        if (a[i].offset != b[i].offset) {
            return std::min(a[i].offset, b[i].offset);
        }
        if (a[i].length != b[i].length) {
            return a[i].offset + std::min(a[i].length, b[i].length);
        }
    }
    return endOf(a);
}

using Start = std::array<std::byte, kLongestStart>;

// The first bytes of a file, as many as are marked; the others are zeros, as in UndoEntry.
SystemResult<Start> readStart(FileOperations& operations, int file, StartMark mark) {
    Start start{};
    GUFO_TRY(readAll(operations, file, 0, std::span(start).first(startBytes(mark))));
    return SystemResult<Start>(start);
}

bool isUnfinished(const Start& start, StartMark mark) {
    return std::ranges::equal(std::span(start).first(startBytes(mark)), unfinishedStart(mark));
}

SystemResult<std::vector<std::byte>> readRange(FileOperations& operations, int file, ByteRange range) {
    std::vector<std::byte> bytes(range.length);
    GUFO_TRY(readAll(operations, file, range.offset, bytes));
    return SystemResult<std::vector<std::byte>>(std::move(bytes));
}

// Whether writing the mark over the old start was cut short. The result may be the new start by chance.
bool isCutMark(const Start& start, const UndoEntry& entry) {
    const Bytes mark = unfinishedStart(entry.mark);
    for (std::size_t written = 0; written < mark.size(); ++written) {
        if (std::equal(start.begin() + static_cast<std::ptrdiff_t>(written), start.end(),
                       entry.oldStart.begin() + static_cast<std::ptrdiff_t>(written))) {
            return true;
        }
        if (start[written] != mark[written]) {
            return false;
        }
    }
    return false;
}

// Whether the journal holds the whole old file except its start, so that no bytes are left for samples. Whatever such a
// file contains in the middle of a save, undoing restores the old file.
bool isWhollyKept(const UndoEntry& entry) {
    std::uint64_t end = startBytes(entry.mark);
    for (const SavedRange& range : entry.ranges) {
        end = range.offset <= end ? std::max(end, range.offset + range.bytes.size()) : end;
    }
    return end >= entry.oldSize;
}

// Whether blocks were inserted at the very front and nothing has been written to them yet.
bool isInserted(const Start& start, const UndoEntry& entry) {
    return entry.shift > 0 && entry.shiftAt == 0 && start == Start{};
}

SystemResult<bool> hasRanges(FileOperations& operations, int file, const UndoEntry& entry) {
    for (const SavedRange& range : entry.ranges) {
        const auto bytes = GUFO_TRY(readRange(operations, file, {range.offset, range.bytes.size()}));
        if (!std::ranges::equal(bytes, range.bytes)) {
            return false;
        }
    }
    return true;
}

// Whether the blocks were moved according to the file size. The caller checks that the data is in fact there.
bool isShifted(std::uint64_t size, const UndoEntry& entry) {
    return entry.shift != 0 && size == entry.oldSize + static_cast<std::uint64_t>(entry.shift);
}

// Finds the hole of an interrupted shift.
SystemResult<std::optional<std::uint64_t>> findTear(FileOperations& operations, int file, const UndoEntry& entry,
                                                    std::uint64_t size) {
    if (entry.shift == 0 || size != std::max(entry.oldSize, entry.newSize)) {
        return std::nullopt;
    }
    const auto extents = GUFO_TRY(operations.extents(file, std::numeric_limits<std::uint64_t>::max(), true));
    return tornAt(entry, size, extents.written);
}

SystemResult<> mendTear(FileOperations& operations, int file, const UndoEntry& entry) {
    const auto status = GUFO_TRY(operations.status(file));
    const auto tear = GUFO_TRY(findTear(operations, file, entry, status.size));
    if (!tear) {
        return {};
    }
    const std::uint64_t shorter = std::min(entry.oldSize, entry.newSize);
    const auto mended = *tear >= shorter ? operations.resize(file, shorter)
                                         : operations.collapseRange(file, *tear, status.size - shorter);
    return mended ? operations.sync(file) : mended; // before anything is written, because only now are the offsets
                                                    // valid
}

// The quickHash of the first bytes between two offsets, computed as if the hole of `hole` bytes at `tear` were not
// there.
SystemResult<std::uint64_t> hashAround(FileOperations& operations, int file, std::uint64_t begin, std::uint64_t end,
                                       std::uint64_t tear, std::uint64_t hole) {
    std::vector<std::byte> sample(std::min(kDataSample, end - std::min(begin, end)));
    const std::uint64_t before = std::min<std::uint64_t>(sample.size(), tear - std::min(tear, begin));
    GUFO_TRY(readAll(operations, file, begin, std::span(sample).first(before)));
    GUFO_TRY(readAll(operations, file, begin + before + hole, std::span(sample).subspan(before)));
    return quickHash(sample);
}

} // namespace

SystemResult<std::uint64_t> hashData(FileOperations& operations, int file, std::uint64_t dataOffset,
                                     std::uint64_t dataEnd) {
    return hashAround(operations, file, dataOffset, dataEnd, dataEnd, 0);
}

SystemResult<std::vector<DataSample>> takeSamples(FileOperations& operations, int file,
                                                  std::span<const ByteRange> ranges) {
    std::vector<DataSample> samples;
    std::uint64_t total = 0;
    for (const ByteRange& range : ranges) {
        total += range.length;
    }
    const std::uint64_t length = std::min(kSampleBytes, total);
    const std::uint64_t count = total != 0 ? std::min<std::uint64_t>(kMaxSamples, (total + length - 1) / length) : 0;
    std::uint64_t before = 0; // bytes in the ranges before the current one
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t wanted = i == 0 ? 0 : i + 1 == count ? total - length : (total - length) / (count - 1) * i;
        while (wanted - before >= ranges[at].length) {
            before += ranges[at++].length;
        }
        const std::uint64_t offset = ranges[at].offset + (wanted - before);
        const std::uint64_t end = std::min(offset + length, ranges[at].offset + ranges[at].length);
        const auto hash = GUFO_TRY(hashAround(operations, file, offset, end, end, 0));
        samples.push_back({offset, end - offset, hash});
    }
    return samples;
}

SystemResult<bool> hasSamples(FileOperations& operations, int file, std::span<const DataSample> samples,
                              const Moved& moved) {
    for (const DataSample& sample : samples) {
        const std::uint64_t begin = sample.offset + (sample.offset >= moved.from ? moved.by : 0);
        const auto hash = hashAround(operations, file, begin, begin + sample.length, moved.tear, moved.hole);
        if (!hash) {
            return hash.error() == ENODATA ? SystemResult<bool>(false) : std::unexpected(hash.error());
        }
        if (*hash != sample.hash) {
            return false;
        }
    }
    return !samples.empty();
}

SystemResult<FileState> stateOf(FileOperations& operations, int file, const UndoEntry& entry, bool copied) {
    const auto status = GUFO_TRY(operations.status(file));
    const std::uint64_t size = status.size;
    const bool knownSize = size == entry.oldSize || size == entry.newSize;
    if ((status.inode != entry.inode && !copied) || !knownSize) {
        return FileState::Foreign;
    }
    const auto start = GUFO_TRY(readStart(operations, file, entry.mark));
    const bool isWhole = start == entry.oldStart || start == entry.newStart;
    if (copied && !isWhole && !isUnfinished(start, entry.mark) && !isInserted(start, entry)) {
        return FileState::Foreign;
    }
    const auto tear = GUFO_TRY(!isWhole ? findTear(operations, file, entry, size) : std::nullopt);
    const std::uint64_t dataEnd = std::min(entry.oldSize, entry.newSize - static_cast<std::uint64_t>(entry.shift));
    // Without its hole, a file has the shorter of the two layouts.
    const bool moved = tear ? entry.shift < 0 : isShifted(size, entry);
    const std::uint64_t by = moved ? static_cast<std::uint64_t>(entry.shift) : 0;
    const std::uint64_t hole = tear ? size - std::min(entry.oldSize, entry.newSize) : 0;
    const Moved place{.from = entry.oldDataOffset, .by = by, .tear = tear.value_or(size), .hole = hole};
    const auto hash =
        GUFO_TRY(hashAround(operations, file, entry.oldDataOffset + by, dataEnd + by, place.tear, place.hole));
    if (hash != entry.dataHash) {
        return FileState::Foreign;
    }
    if (copied) {
        const bool same = GUFO_TRY(isWhollyKept(entry) ? SystemResult<bool>(true)
                                                       : hasSamples(operations, file, entry.samples, place));
        if (!same) {
            return FileState::Foreign;
        }
    }
    // The start is unfinishedStart(), zeros (blocks were inserted at the very front), or a write that was cut short.
    if (!isWhole) {
        return FileState::Unfinished;
    }
    if (size == entry.newSize) {
        const auto header = GUFO_TRY(readRange(operations, file, {0, entry.newHeaderBytes}));
        if (quickHash(header) == entry.newHeaderHash) {
            return FileState::New;
        }
    }
    if (start != entry.oldStart) {
        return isCutMark(start, entry) ? FileState::Unfinished : FileState::Foreign;
    }
    const auto old = size == entry.oldSize ? hasRanges(operations, file, entry) : SystemResult<bool>(false);
    return !old ? SystemResult<FileState>(std::unexpected(old.error())) : *old ? FileState::Old : FileState::Foreign;
}

SystemResult<> shiftBlocks(FileOperations& operations, int file, const UndoEntry& entry, std::int64_t by) {
    const std::uint64_t at = entry.shiftAt;
    const auto length = static_cast<std::uint64_t>(by > 0 ? by : -by);
    if (by < 0 && at == 0) {
        GUFO_TRY(writeAll(operations, file, length, unfinishedStart(entry.mark)));
        GUFO_TRY(operations.sync(file));
    }
    const auto shifted = by > 0 ? operations.insertRange(file, at, length) : operations.collapseRange(file, at, length);
    // The insertion must be durable before anything is written at the new offsets. After a removal, writes go only to
    // the part of the old header that is kept.
    return shifted && by > 0 ? operations.sync(file) : shifted;
}

SystemResult<> undo(FileOperations& operations, int file, const UndoEntry& entry) {
    GUFO_TRY(mendTear(operations, file, entry));
    const auto status = GUFO_TRY(operations.status(file));
    const Start start = GUFO_TRY(readStart(operations, file, entry.mark));
    if (start == entry.oldStart || start == entry.newStart) {
        GUFO_TRY(writeAll(operations, file, 0, unfinishedStart(entry.mark)));
        GUFO_TRY(operations.sync(file));
    }
    if (isShifted(status.size, entry)) {
        GUFO_TRY(shiftBlocks(operations, file, entry, -entry.shift));
    } else if (status.size != entry.oldSize) {
        GUFO_TRY(operations.resize(file, entry.oldSize));
    }
    for (const SavedRange& range : entry.ranges) {
        GUFO_TRY(writeAll(operations, file, range.offset, range.bytes));
    }
    GUFO_TRY(operations.sync(file));
    GUFO_TRY(writeAll(operations, file, 0, std::span(entry.oldStart).first(startBytes(entry.mark))));
    return operations.sync(file);
}

std::optional<std::uint64_t> tornAt(const UndoEntry& entry, std::uint64_t size, std::span<const ByteRange> written) {
    if (entry.shift == 0 || size != std::max(entry.oldSize, entry.newSize)) {
        return std::nullopt;
    }
    const std::uint64_t shorterSize = std::min(entry.oldSize, entry.newSize);
    const std::uint64_t by = size - shorterSize;
    const std::uint64_t end = endOf(entry.written);
    const bool grew = entry.shift > 0;
    const Layout shorter = grew ? entry.written : without(entry.written, entry.shiftAt, by);
    const Layout now = upTo(grew ? end + by : end, written);
    const std::uint64_t at = firstDifference(now, shorter);
    // A hole at shiftAt itself belongs to a shift that has been completed or has not begun.
    const bool torn = at > entry.shiftAt && now == withHole(shorter, at, by);
    return torn ? std::optional(at) : std::nullopt;
}

} // namespace gufo::saving
