// The pieces of a file that is being downloaded. Tracks which connection fetches which piece, which bytes have arrived,
// and how many bytes from the beginning are complete. Connections take pieces in order, so that the digest of the
// beginning can be computed while the rest arrives.
//
// Threads: thread-safe.
#pragma once

#include "base/byte_source.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace gufo::hub {

class DownloadPieces {
public:
    // Divides a file of `bytes` (> 0) into pieces of at most `length` bytes, without the ranges that are `present`.
    DownloadPieces(std::uint64_t bytes, std::uint64_t length, std::span<const ByteRange> present);

    using Index = std::size_t;
    // The next piece that no connection has taken; nothing if there is none.
    [[nodiscard]] std::optional<Index> take();
    // The part of a piece that has not arrived yet, which is its end.
    [[nodiscard]] ByteRange missing(Index piece) const;
    // The next bytes of the piece have been written to the file.
    void add(Index piece, std::uint64_t bytes);

    // The ranges that are in the file, and their length.
    [[nodiscard]] std::vector<ByteRange> present() const;
    [[nodiscard]] std::uint64_t presentBytes() const;

    // Waits until the file is complete up to more than `offset` bytes and returns up to where; returns `offset` if the
    // stop token ends the wait.
    [[nodiscard]] std::uint64_t awaitMoreThan(std::uint64_t offset, const std::stop_token& stop);

private:
    struct Piece {
        ByteRange range;
        std::uint64_t done = 0; // bytes from its beginning
    };
    [[nodiscard]] std::uint64_t completeUpTo(std::uint64_t offset) const; // m_mutex is locked

    mutable std::mutex m_mutex; // guards all members
    std::condition_variable_any m_changed;
    std::vector<Piece> m_pieces; // in order; they cover the file
    std::size_t m_next = 0;      // the first piece that no connection has taken
};

} // namespace gufo::hub
