// How attention is divided to be shared out among threads: several tokens into tiles of queries, a single token, which
// leaves too few heads to share out evenly, into ranges of positions too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gufo::inference {

struct AttentionTask {
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::size_t tokens;
    std::uint32_t begin; // of the positions that the first token sees
    std::uint32_t end;   // behind that of the last token
};

class AttentionDivision {
public:
    static constexpr std::size_t kTileQueries = 32;

    // Ranges, and so the order in which sums are formed, depend on the task alone; on the number of `members` depends
    // only which queries are looked at together.
    AttentionDivision(const AttentionTask& task, unsigned members);

    // The most ranges, where there are several, of a token whose position is below `context`.
    [[nodiscard]] static std::uint32_t mostRanges(std::uint32_t heads, std::uint32_t kvHeads, std::uint32_t context);

    // Queries of one KV head, of consecutive tokens: what is done at once, so that keys and values are read once.
    struct Tile {
        std::uint32_t kvHead;
        std::uint32_t firstHead;
        std::uint32_t heads;
        std::size_t firstToken;
        std::size_t tokens;

        [[nodiscard]] std::size_t queries() const { return heads * tokens; }
    };
    // Tiles of the same range follow each other, so that keys and values are still near when they are read again.
    struct Item {
        std::uint64_t tileIndex; // the same for all ranges
        Tile tile;
        std::uint32_t range;
    };
    [[nodiscard]] std::uint64_t tiles() const { return std::uint64_t{m_task.kvHeads} * m_parts * m_tokenTiles; }
    [[nodiscard]] std::uint64_t items() const { return tiles() * m_ranges; }
    [[nodiscard]] Item item(std::uint64_t index) const;

    // Of a single token; several tokens have one range for all.
    struct Range {
        std::uint32_t begin;
        std::uint32_t end;
    };
    [[nodiscard]] std::uint32_t ranges() const { return m_ranges; }
    [[nodiscard]] Range range(std::uint32_t index) const;

    // Positions whose scores are looked at together, with as many of a tile's queries.
    [[nodiscard]] std::uint32_t piece(std::size_t queries) const;
    static constexpr std::size_t kScores = kTileQueries * 128; // the most of them

private:
    AttentionTask m_task;
    std::uint32_t m_group;     // queries of a KV head
    std::uint32_t m_tileHeads; // of a group, at most
    std::uint32_t m_parts;     // of a group
    std::size_t m_tileTokens;
    std::size_t m_tokenTiles;
    std::uint32_t m_rangeLength = 0; // ranges begin at its multiples
    std::uint32_t m_ranges = 1;
};

} // namespace gufo::inference
