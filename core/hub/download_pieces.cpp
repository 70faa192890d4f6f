#include "hub/download_pieces.h"

#include <algorithm>

namespace gufo::hub {

DownloadPieces::DownloadPieces(std::uint64_t bytes, std::uint64_t length, std::span<const ByteRange> present) {
    std::uint64_t at = 0;
    const auto addMissing = [&](std::uint64_t end) {
        while (at < end) {
            const std::uint64_t part = std::min(length, end - at);
            m_pieces.push_back({.range = {at, part}});
            at += part;
        }
    };
    for (const ByteRange& range : present) {
        addMissing(range.offset);
        m_pieces.push_back({.range = range, .done = range.length});
        at = range.offset + range.length;
    }
    addMissing(bytes);
}

std::optional<DownloadPieces::Index> DownloadPieces::take() {
    const std::scoped_lock lock(m_mutex);
    while (m_next < m_pieces.size() && m_pieces[m_next].done == m_pieces[m_next].range.length) {
        ++m_next;
    }
    return m_next < m_pieces.size() ? std::optional(m_next++) : std::nullopt;
}

ByteRange DownloadPieces::missing(Index piece) const {
    const std::scoped_lock lock(m_mutex);
    const Piece& each = m_pieces[piece];
    return {each.range.offset + each.done, each.range.length - each.done};
}

void DownloadPieces::add(Index piece, std::uint64_t bytes) {
    const std::scoped_lock lock(m_mutex);
    m_pieces[piece].done += bytes;
    m_changed.notify_all();
}

std::vector<ByteRange> DownloadPieces::present() const {
    const std::scoped_lock lock(m_mutex);
    std::vector<ByteRange> ranges;
    for (const Piece& piece : m_pieces) {
        const bool continues = !ranges.empty() && ranges.back().offset + ranges.back().length == piece.range.offset;
        if (piece.done > 0 && continues) {
            ranges.back().length += piece.done;
        } else if (piece.done > 0) {
            ranges.push_back({piece.range.offset, piece.done});
        }
    }
    return ranges;
}

std::uint64_t DownloadPieces::presentBytes() const {
    const std::scoped_lock lock(m_mutex);
    std::uint64_t bytes = 0;
    for (const Piece& piece : m_pieces) {
        bytes += piece.done;
    }
    return bytes;
}

std::uint64_t DownloadPieces::completeUpTo(std::uint64_t offset) const {
    auto piece = std::ranges::partition_point(
        m_pieces, [&](const Piece& each) { return each.range.offset + each.range.length <= offset; });
    for (; piece != m_pieces.end(); ++piece) {
        offset = std::max(offset, piece->range.offset + piece->done);
        if (piece->done < piece->range.length) {
            break;
        }
    }
    return offset;
}

std::uint64_t DownloadPieces::awaitMoreThan(std::uint64_t offset, const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    std::uint64_t end = offset;
    m_changed.wait(lock, stop, [&] {
        end = completeUpTo(offset);
        return end > offset;
    });
    return stop.stop_requested() ? offset : end;
}

} // namespace gufo::hub
