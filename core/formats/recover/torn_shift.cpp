#include "formats/recover/torn_shift.h"

#include <algorithm>

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

} // namespace

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
