// Divides attention among threads. Several tokens are divided into tiles of queries. A single token, which has too few
// heads for an even division, is divided into ranges of positions as well.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gufo::inference {

struct AttentionTask {
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::size_t tokens;
    std::uint32_t begin; // first position that the first token attends to
    std::uint32_t end;   // one past the position of the last token
};

class AttentionDivision {
public:
    // Queries of a tile, at most. With more, each conversion of keys and values serves more of them, but their sums and
    // scores leave the L1 and L2 caches: 128 were not faster.
    static constexpr std::size_t kTileQueries = 64;

    // The ranges, and hence the order of summation, depend only on the task. `members` affects only which queries are
    // processed together.
    AttentionDivision(const AttentionTask& task, unsigned members);

    // Upper bound of ranges() for a token at a position below `context`; 0 if there is always a single range.
    [[nodiscard]] static std::uint32_t maxRanges(std::uint32_t heads, std::uint32_t kvHeads, std::uint32_t context);

    // Queries of one KV head and of consecutive tokens that are processed together, so that keys and values are read
    // once.
    struct Tile {
        std::uint32_t kvHead;
        std::uint32_t firstHead;
        std::uint32_t heads;
        std::size_t firstToken;
        std::size_t tokens;

        [[nodiscard]] std::size_t queries() const { return heads * tokens; }
    };
    // Tiles of the same range are consecutive, so that keys and values are still cached when they are read again.
    struct Item {
        std::uint64_t tileIndex; // the same for all ranges
        Tile tile;
        std::uint32_t range;
    };
    [[nodiscard]] std::uint64_t tiles() const { return std::uint64_t{m_task.kvHeads} * m_parts * m_tokenTiles; }
    [[nodiscard]] std::uint64_t items() const { return tiles() * m_ranges; }
    [[nodiscard]] Item item(std::uint64_t index) const;

    // Ranges divide the positions of a single token; several tokens have one range.
    struct Range {
        std::uint32_t begin;
        std::uint32_t end;
    };
    [[nodiscard]] std::uint32_t ranges() const { return m_ranges; }
    [[nodiscard]] Range range(std::uint32_t index) const;

    // Number of positions that are scored at once with this many queries of a tile.
    [[nodiscard]] std::uint32_t piece(std::size_t queries) const;
    static constexpr std::size_t kScores = kTileQueries * 256; // upper bound of positions × queries in a piece

private:
    AttentionTask m_task;
    std::uint32_t m_group;     // queries of one KV head
    std::uint32_t m_tileHeads; // at most, of a group
    std::uint32_t m_parts;     // tiles that a group is divided into
    std::size_t m_tileTokens;
    std::size_t m_tokenTiles;
    std::uint32_t m_rangeLength = 0; // ranges begin at multiples of it
    std::uint32_t m_ranges = 1;
};

} // namespace gufo::inference
