#include "inference/engine/blocks/attention_division.h"

#include "tensor/kernels/attention.h"

#include <algorithm>

namespace gufo::inference {
namespace {

// Upper bound of the positions of a piece: small enough for the scores of a token to stay in the L1 cache, large enough
// to amortise the work done once for each piece.
constexpr std::uint32_t kLargestPiece = 512;

// Up to this many positions are not divided, because merging would take as long as is gained.
constexpr std::uint32_t kUndivided = 1024;
// Limits of ranges: their shortest length, and their number over all tiles together, which is enough to balance the
// load.
constexpr std::uint32_t kShortestRange = kLargestPiece;
constexpr std::uint32_t kMaxItems = 64;

// Queries of a single token that are processed together. With more, the queries, sums and scores do not fit the L1
// cache.
constexpr std::uint32_t kSingleQueries = 16;

std::uint32_t roundedUp(std::uint32_t a, std::uint32_t b) { return a / b + (a % b != 0 ? 1 : 0); }

std::uint32_t pieceOf(std::size_t queries) {
    return std::min(kLargestPiece,
                    static_cast<std::uint32_t>(AttentionDivision::kScores / queries / kTileRows * kTileRows));
}

} // namespace

AttentionDivision::AttentionDivision(const AttentionTask& task, unsigned members)
    : m_task(task)
    , m_group(task.heads / task.kvHeads)
    , m_tileHeads(std::min(m_group, task.tokens == 1 ? kSingleQueries : std::uint32_t{kTileQueries}))
    , m_parts(roundedUp(m_group, m_tileHeads))
    , m_tileTokens(std::clamp<std::size_t>(kTileQueries / m_tileHeads, 1, task.tokens))
    , m_tokenTiles((task.tokens + m_tileTokens - 1) / m_tileTokens) {
    if (const std::uint32_t depth = task.end - task.begin; task.tokens == 1 && depth > kUndivided) {
        m_rangeLength = kShortestRange;
        while (std::uint64_t{depth} * tiles() > std::uint64_t{m_rangeLength} * kMaxItems) {
            m_rangeLength *= 2;
        }
        m_ranges = (task.end - 1) / m_rangeLength - task.begin / m_rangeLength + 1;
    }
    // Few positions and KV heads would leave members idle, so the queries of one KV head are divided too.
    if (items() < members) {
        m_parts = std::min(m_group, std::max(m_parts, members));
    }
}

std::uint32_t AttentionDivision::maxRanges(std::uint32_t heads, std::uint32_t kvHeads, std::uint32_t context) {
    if (context <= kUndivided) {
        return 0;
    }
    const std::uint32_t tiles = kvHeads * roundedUp(heads / kvHeads, kSingleQueries);
    const std::uint32_t whole = std::min(roundedUp(kMaxItems, tiles), roundedUp(context, kShortestRange));
    return whole + 1; // a window may begin and end within a range
}

AttentionDivision::Item AttentionDivision::item(std::uint64_t index) const {
    const std::uint64_t part = index % m_parts;
    const auto tokenTile = static_cast<std::size_t>(index / m_parts % m_tokenTiles);
    const auto range = static_cast<std::uint32_t>(index / m_parts / m_tokenTiles % m_ranges);
    const auto kvHead = static_cast<std::uint32_t>(index / m_parts / m_tokenTiles / m_ranges);
    // Multiplied in 64 bits, because a malicious file may have very many heads.
    const auto headOf = [&](std::uint64_t each) { return static_cast<std::uint32_t>(each * m_group / m_parts); };
    const std::uint32_t first = headOf(part);
    const std::size_t firstToken = tokenTile * m_tileTokens;
    return {.tileIndex = (std::uint64_t{kvHead} * m_tokenTiles + tokenTile) * m_parts + part,
            .tile = {.kvHead = kvHead,
                     .firstHead = kvHead * m_group + first,
                     .heads = headOf(part + 1) - first,
                     .firstToken = firstToken,
                     .tokens = std::min(m_tileTokens, m_task.tokens - firstToken)},
            .range = range};
}

AttentionDivision::Range AttentionDivision::range(std::uint32_t index) const {
    if (m_ranges == 1) {
        return {m_task.begin, m_task.end};
    }
    const std::uint64_t begin = (std::uint64_t{m_task.begin} / m_rangeLength + index) * m_rangeLength;
    return {static_cast<std::uint32_t>(std::max<std::uint64_t>(m_task.begin, begin)),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(m_task.end, begin + m_rangeLength))};
}

std::uint32_t AttentionDivision::piece(std::size_t queries) const {
    // For a single token the piece is the same for each part of a group.
    return pieceOf(m_task.tokens == 1 ? m_tileHeads : queries);
}

} // namespace gufo::inference
